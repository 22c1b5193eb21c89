// Rule event: the arguments of a launch, packed into one block of host memory, end before the last
// parameter of the kernel does.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"

namespace gpusan::rules {

struct PackedArguments {
  const Kernel* kernel = nullptr;  // never nullptr
  uint64_t given = 0;              // as the program states it [bytes]
  uint64_t needed = 0;             // up to the end of the last parameter [bytes]
};

void OnPackedArguments(const PackedArguments& arguments, Call& call);

}  // namespace gpusan::rules
