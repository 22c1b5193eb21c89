// Rule event: bytes of the guard zone beside an allocation have changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

// A command that ran since the guard zone was last known to be intact.
struct GuardSuspect {
  std::string text;  // "kernel \"blur\""
  std::string name;  // of the kernel; may be empty
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  bool of_allocation = false;  // it had the allocation
  bool elsewhere = false;      // it did not have the allocation
  bool writes = false;         // its code or its types say that it may write through the argument
};

struct GuardDamage {
  std::string allocation;              // as ObjectText
  const Resource* resource = nullptr;  // nullptr: its shadow state is gone
  const CallInfo* creator = nullptr;
  SiteId created = kUnknownSite;
  uint64_t bytes = 0;  // of the allocation
  bool front = false;  // the zone in front of the allocation; otherwise the one behind
  uint64_t zone_bytes = 0;
  uint64_t changed_bytes = 0;
  // Unchanged bytes between the allocation and the nearest changed one, and the farthest one.
  uint64_t nearest = 0, farthest = 0;
  std::string values;  // the changed bytes nearest to the allocation, in the order of addresses
  std::vector<GuardSuspect> suspects;  // newest first
  uint64_t more_suspects = 0;          // left out
  const char* when = "";               // "when it was freed"
};

void OnGuardDamage(const GuardDamage& damage, Call& call);

}  // namespace gpusan::rules
