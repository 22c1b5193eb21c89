// Rule event: addresses of memory are unmapped while a command that uses them may still run.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"

namespace gpusan::rules {

struct UnmappedInUse {
  const Resource* memory = nullptr;  // the mapping
  const Access* pending = nullptr;   // of the command
};

void OnUnmappedInUse(const UnmappedInUse& use, Call& call);

}  // namespace gpusan::rules
