// The basic blocks of a kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

struct Block {
  uint32_t first = 0;                // index of the first instruction
  uint32_t end = 0;                  // index behind the last instruction
  std::vector<uint32_t> successors;  // indices of blocks
  bool reachable = false;
  bool always = false;  // every thread of the grid executes it
  uint32_t order = 0;   // reverse postorder of a depth-first search: most predecessors come first
};

struct ControlFlow {
  std::vector<Instruction> instructions;
  std::vector<Block> blocks;      // by code offset; block 0 is the entry
  const char* failure = nullptr;  // why the control flow is not known; nullptr: it is known
};

// Calls within the kernel's code are edges, and a return may continue behind each of them.
ControlFlow ReadControlFlow(const CubinKernel& kernel);

}  // namespace gpusan::cuda
