// The summary of a kernel: which memory it reads, writes and changes atomically.
#include "hooks/cuda/analysis/kernel_access.h"

#include <algorithm>

namespace gpusan::cuda {

uint8_t KernelAccess::KindsAt(uint16_t offset) const {
  if (!known()) return kReads | kWrites | kAtomics;
  const auto found = std::find_if(pointers.begin(), pointers.end(),
                                  [offset](const PointerUse& use) { return use.offset == offset; });
  return unknown | (found == pointers.end() ? 0 : found->kinds);
}

}  // namespace gpusan::cuda
