// Rule event: the code of a kernel updates bytes atomically that nothing has written.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct UnwrittenUpdate {
  const Kernel* kernel = nullptr;      // never nullptr
  uint32_t argument = 0;               // index
  const Resource* resource = nullptr;  // never nullptr
  uint64_t offset = 0;                 // of the first such byte in the resource
};

void OnUnwrittenUpdate(const UnwrittenUpdate& update, Call& call);

}  // namespace gpusan::rules
