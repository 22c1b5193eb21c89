// Finds the instructions that can order the accesses of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

// Whether the block is reachable and has an instruction by which other kernels or the host can wait
// for the thread, or the thread for them. Reductions alone order nothing, because the kernel does
// not get their results. Fences for the threads of a block do not order other threads. A sleep
// waits for others only in a loop that also reads what others write.
bool MayWait(const ControlFlow& flow, uint32_t block);

// Returns for each instruction whether later accesses of a thread may be ordered after such an
// instruction of this thread or of another thread of its block. This is so for these instructions,
// and for those by which threads of a block wait for each other. Returns true in doubt.
std::vector<bool> FindOrdering(const ControlFlow& flow);

}  // namespace gpusan::cuda
