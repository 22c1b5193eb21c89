// Builds the summary of a kernel from its accesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/analysis/paths.h"

namespace gpusan::cuda {

class AccessCollector {
 public:
  // `out` must outlive this object.
  AccessCollector(unsigned parameter_bytes, KernelAccess* out)
      : parameter_bytes_(parameter_bytes), out_(*out) {}

  // Adds an access to global or generic memory.
  void Add(KernelMemoryAccess access);
  // Returns the certain accesses of threads for which the guards hold.
  using FindSure =
      std::function<std::vector<SureAccess>(PathsOf, const std::vector<AccessGuard>& known)>;

  // Adds the certain accesses of any thread that Add has not added. For a kind and a pointer
  // without a certain access to known bytes, adds the accesses of the first thread. Requires that
  // all calls of Add are complete and that `may_wait` of the summary is set. If the kernel may
  // wait, it waits only in launches for which the guard `waits_only_if` holds; without this guard
  // AddSure adds nothing. `describe(instruction)` returns an access without address and guards.
  void AddSure(const std::optional<AccessGuard>& waits_only_if, const FindSure& find,
               const std::function<KernelMemoryAccess(uint32_t)>& describe);
  // Completes the summary. Call it once, after all calls of Add and AddSure. `name(word)` returns
  // the name of the variable of Sources::module_word, or an empty string.
  template <typename NameOf>
  void Finish(NameOf name) {
    FinishPointers();
    for (const auto& [word, kinds] : variables_) {
      if (const std::string_view known = name(word); !known.empty())
        out_.variables.push_back({std::string(known), kinds});
    }
    std::sort(out_.variables.begin(), out_.variables.end(),
              [](const VariableUse& a, const VariableUse& b) { return a.name < b.name; });
  }

 private:
  void FinishPointers();

  const unsigned parameter_bytes_;
  KernelAccess& out_;
  std::map<uint16_t, uint8_t> pointers_;
  std::map<uint32_t, uint8_t> variables_;  // by module word: the kinds of accesses of every thread
};

}  // namespace gpusan::cuda
