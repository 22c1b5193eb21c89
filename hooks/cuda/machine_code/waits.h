// Finds the instructions that can order the accesses of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

// Whether other kernels or the host can wait for the thread by the instruction, or the thread for
// them. Reductions alone order nothing, because the kernel does not get their results. Fences for
// the threads of a block do not order other threads.
bool MayWait(const Instruction& instruction);
// Whether a reachable block has such an instruction.
bool MayWait(const ControlFlow& flow, const Block& block);

// Returns for each instruction whether later accesses of a thread may be ordered after a MayWait of
// this thread or of another thread of its block. This is so for MayWait instructions, and for
// instructions by which threads of a block wait for each other. Returns true in doubt.
std::vector<bool> FindOrdering(const ControlFlow& flow);

}  // namespace gpusan::cuda
