// Rule event: a native kernel names a place for the pointer to a memory object that is outside of
// the kernel's arguments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct NativeLocation {
  uint32_t index = 0;      // in args_mem_loc
  uintptr_t location = 0;  // the place
  uintptr_t arguments = 0;
  size_t bytes = 0;  // of the arguments
};

void OnNativeLocation(const NativeLocation& use, Call& call);

}  // namespace gpusan::rules
