// The basic blocks of a kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

struct ControlFlow {
  std::vector<Instruction> instructions;
  std::vector<Block> blocks;  // by code offset, then copies; block 0 is the entry
  // The blocks that end with a return for which the control flow assumes one continuation.
  std::vector<uint32_t> returns;
  const char* failure = nullptr;  // why the control flow is unknown; nullptr if it is known
};

// Returns the control flow of a kernel. A call within the kernel's code is an edge to the function,
// and a return is an edge to the instruction after each call. A call of an address is an edge to
// the instruction after the call. With `copies_functions`, the blocks of small functions that
// access no memory are copied for each call, and the return of a copy leads only to the instruction
// after that call. ControlFlow::returns lists these assumptions.
ControlFlow ReadControlFlow(const CubinKernel& kernel, bool copies_functions);

// Makes the last instruction of each of `blocks` the end of the threads that execute it. Threads
// for which its guard is false continue.
void EndBlocks(const std::vector<uint32_t>& blocks, ControlFlow* flow);

}  // namespace gpusan::cuda
