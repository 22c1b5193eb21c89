// Rule event: a node of a graph uses memory that another node of the same graph frees, and does not
// come before that node.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct FreedInGraph {
  uintptr_t address = 0;  // of the allocation
  uint64_t bytes = 0;     // of the allocation
  // The calls that created the nodes; never nullptr.
  const CallInfo* user = nullptr;
  const CallInfo* freer = nullptr;
  SiteId user_site = kUnknownSite, freer_site = kUnknownSite;
  bool writes = false;   // the user writes the memory
  bool ordered = false;  // the user comes after the free; otherwise nothing orders the two
};

void OnFreedInGraph(const FreedInGraph& use, Call& call);

}  // namespace gpusan::rules
