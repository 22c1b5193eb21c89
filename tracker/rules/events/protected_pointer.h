// Rule event: a transfer would access host memory that is mapped without the right to do so.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::rules {

struct ProtectedPointer {
  const Side* side = nullptr;  // host memory, not empty; never nullptr
  uint64_t at = 0;             // offset of a byte without the right, from the pointer
  bool write = false;          // the right that is missing; otherwise that to read
};

void OnProtectedPointer(const ProtectedPointer& use, Call& call);

}  // namespace gpusan::rules
