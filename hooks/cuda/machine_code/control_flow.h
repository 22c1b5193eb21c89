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
  // The blocks that end with a return for which one continuation was assumed.
  std::vector<uint32_t> returns;
  const char* failure = nullptr;  // why the control flow is not known; nullptr: it is known
};

// Calls within the kernel's code are edges, and a return may continue behind each of them. A call
// of an address continues behind it. `copies_functions`: small functions that access no memory have
// copies of their blocks, one for each call. ControlFlow::returns then tells what is assumed of
// their returns.
ControlFlow ReadControlFlow(const CubinKernel& kernel, bool copies_functions);

// Changes the control flow so that no thread gets behind the last instruction of any of `blocks`,
// unless its guard keeps the thread from executing it.
void EndBlocks(const std::vector<uint32_t>& blocks, ControlFlow* flow);

}  // namespace gpusan::cuda
