// Which instructions can order the accesses of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

// Whether other kernels or the host can wait for the thread by the instruction, or the thread for
// them. Reductions alone order nothing: their kernel sees no result. Fences for the threads of a
// block order nothing for others.
bool MayWait(const Instruction& instruction);
// Whether a reachable block has such an instruction.
bool MayWait(const ControlFlow& flow, const Block& block);

// Returns for each instruction whether what a thread does after it can come after a MayWait of
// this thread or of another thread of its block: a MayWait itself, and what lets threads of a block
// wait for each other. Where in doubt: true.
std::vector<bool> FindOrdering(const ControlFlow& flow);

}  // namespace gpusan::cuda
