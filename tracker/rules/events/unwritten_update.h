// Rule event: the code of a kernel updates bytes that nothing has written: it reads the old value.
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
  bool anywhere = false;  // it updates some of the bytes [begin, end) of the resource, not each
  bool in_place = false;  // by plain accesses, or by these and atomic ones
  uint64_t begin = 0, end = 0;
  uint64_t written = 0;  // bytes of the resource that were written
};

void OnUnwrittenUpdate(const UnwrittenUpdate& update, Call& call);

}  // namespace gpusan::rules
