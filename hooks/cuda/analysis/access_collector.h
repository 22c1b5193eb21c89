// Puts the accesses of a kernel together to its summary.
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
  // Finds what threads surely access, where the guards hold.
  using FindSure =
      std::function<std::vector<SureAccess>(PathsOf, const std::vector<AccessGuard>& known)>;

  // Adds what threads surely access where the other accesses leave that open; what the first thread
  // does only where nothing else is sure, or at no known bytes. Behind all calls of Add, with
  // `may_wait` set. `waits_only_if`: if it is false, no thread of the launch waits. `describe`: an
  // access of an instruction, without address and guards.
  void AddSure(const std::optional<AccessGuard>& waits_only_if, const FindSure& find,
               const std::function<KernelMemoryAccess(uint32_t)>& describe);
  // Completes the summary. Call it once, behind all calls of Add and AddSure. `name(word)` returns
  // the name of the variable that Sources::module_word means; empty: none.
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
  std::map<uint32_t, uint8_t> variables_;  // by module word: what every thread does
};

}  // namespace gpusan::cuda
