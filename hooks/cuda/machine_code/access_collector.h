// Puts the accesses of a kernel together to its summary.
#pragma once

#include <cstdint>
#include <map>

#include "hooks/cuda/machine_code/kernel_access.h"

namespace gpusan::cuda {

class AccessCollector {
 public:
  // `out` must outlive this object.
  AccessCollector(unsigned parameter_bytes, KernelAccess* out)
      : parameter_bytes_(parameter_bytes), out_(*out) {}

  // Adds an access to global or generic memory.
  void Add(KernelMemoryAccess access);
  // Completes the summary. Call it once, behind all calls of Add.
  void Finish();

 private:
  const unsigned parameter_bytes_;
  KernelAccess& out_;
  std::map<uint16_t, uint8_t> pointers_;
};

}  // namespace gpusan::cuda
