// Rule event: a transfer would use host memory that is not mapped.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::rules {

struct UnmappedPointer {
  const Side* side = nullptr;  // host memory, not empty; never nullptr
  uint64_t at = 0;             // offset of the first unmapped byte that is known, from the pointer
};

void OnUnmappedPointer(const UnmappedPointer& use, Call& call);

}  // namespace gpusan::rules
