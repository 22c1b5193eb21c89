// Rule event: the program takes rights or content from host memory that a pending command uses.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/memory/host_memory.h"
#include "tracker/order/access.h"

namespace gpusan::rules {

struct LostMemory {
  HostBlock block;  // the range of the call, and the site that mapped it
  HostLoss loss = HostLoss::kContent;
  const Access* pending = nullptr;  // never nullptr
};

void OnLostMemory(const LostMemory& lost, Call& call);

}  // namespace gpusan::rules
