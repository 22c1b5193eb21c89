// Rule event: a transfer would access host memory whose mapping does not allow the access.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::rules {

struct ProtectedPointer {
  const Side* side = nullptr;  // host memory, not empty; never nullptr
  uint64_t at = 0;             // offset from the pointer of a byte that must not be accessed
  bool write = false;          // writes are not allowed; false: reads are not allowed
};

void OnProtectedPointer(const ProtectedPointer& use, Call& call);

}  // namespace gpusan::rules
