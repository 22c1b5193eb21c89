// Rule event: two calls of a library's group access the same bytes, and the library runs the calls
// of a group at the same time.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"

namespace gpusan::rules {

struct GroupOverlap {
  const Resource* resource = nullptr;  // never nullptr
  // At least one of them writes. Their calls and sites are those of the calls of the group.
  const Access* one = nullptr;
  const Access* other = nullptr;
};

// `call`: ends the group.
void OnGroupOverlap(const GroupOverlap& overlap, Call& call);

}  // namespace gpusan::rules
