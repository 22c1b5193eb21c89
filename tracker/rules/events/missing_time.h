// Rule event: a program asked for the time of a command, or between two events, before they were
// complete, and never got a time.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct MissingTime {
  const CallInfo* query = nullptr;  // never nullptr
  SiteId site = kUnknownSite;       // of all the queries
  uint64_t queries = 0;
  std::string code;  // that they returned
};

void OnMissingTime(const MissingTime& missing, Call& call);

}  // namespace gpusan::rules
