// Memory that a kernel updates in place: loads of bytes that the same thread stores later.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/kernel_access.h"

namespace gpusan::cuda {

// An access of a kernel and its instruction.
struct InstructionAccess {
  uint32_t instruction = 0;  // index
  bool predicated = false;   // the instruction has a predicate of its own
  KernelMemoryAccess access;
};

// Sets `update` of each store that is after a load of the same bytes in every execution, and of
// such loads. `blocks`: those of the kernel, ordered.
void MarkUpdates(const std::vector<Block>& blocks, std::vector<InstructionAccess>* accesses);

}  // namespace gpusan::cuda
