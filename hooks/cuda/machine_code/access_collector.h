// Puts the accesses of a kernel together to its summary.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "hooks/cuda/machine_code/kernel_access.h"
#include "hooks/cuda/machine_code/paths.h"

namespace gpusan::cuda {

class AccessCollector {
 public:
  // `out` must outlive this object.
  AccessCollector(unsigned parameter_bytes, KernelAccess* out)
      : parameter_bytes_(parameter_bytes), out_(*out) {}

  // Adds an access to global or generic memory.
  void Add(KernelMemoryAccess access);
  // Adds what a thread surely accesses where the other accesses leave that open. Behind all calls
  // of Add, with `may_wait` set. `describe`: an access of an instruction, without address and
  // guards.
  void AddSure(const std::function<std::vector<SureAccess>()>& find,
               const std::function<KernelMemoryAccess(uint32_t)>& describe);
  // Completes the summary. Call it once, at last.
  void Finish();

 private:
  const unsigned parameter_bytes_;
  KernelAccess& out_;
  std::map<uint16_t, uint8_t> pointers_;
};

}  // namespace gpusan::cuda
