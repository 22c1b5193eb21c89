// A block that an allocator of the program hands out or takes back, as a change of the shadow state
// that hooks may defer.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan {

// A plain value. `call` and `apply` have static storage.
struct BlockChange {
  const CallInfo* call;  // the function of the allocator
  const void* return_address;
  const void* frame_address;
  uintptr_t address;
  int64_t bytes;  // negative: the allocator takes the block back
  // Applies the change. Throws nothing.
  void (*apply)(Tracker& tracker, Call& call, uintptr_t address, int64_t bytes);
};

}  // namespace gpusan
