// The basic blocks of a kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/machine_code/block_graph.h"
#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

struct ControlFlow {
  std::vector<Instruction> instructions;
  std::vector<Block> blocks;      // by code offset; block 0 is the entry
  const char* failure = nullptr;  // why the control flow is not known; nullptr: it is known
};

// Calls within the kernel's code are edges, and a return may continue behind each of them.
ControlFlow ReadControlFlow(const CubinKernel& kernel);

}  // namespace gpusan::cuda
