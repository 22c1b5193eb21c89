// Rule event: a kernel gets a tensor map of memory that the program has freed.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct FreedTensorMap {
  const Kernel* kernel = nullptr;
  uint32_t index = 0;                  // of the argument
  const Resource* resource = nullptr;  // freed
  // The call that encoded the map; nullptr: not known.
  const CallInfo* encoder = nullptr;
  SiteId encoded_at = kUnknownSite;
  // Set if the launch was recorded earlier and runs now.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
};

void OnFreedTensorMap(const FreedTensorMap& use, Call& call);

}  // namespace gpusan::rules
