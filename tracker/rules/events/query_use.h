// Rule event: the host uses queries of a pool against the rules of their API.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/memory/host_memory.h"
#include "tracker/objects/object.h"

namespace gpusan::rules {

struct QueryUse {
  enum class Fault : uint8_t {
    kResetPending,  // `pending` uses query `query`, which the host resets
    kPastBlock,     // the results have `needed` bytes; the block has `available` after the pointer
  };
  Fault fault = Fault::kResetPending;
  const Object* pool = nullptr;  // never nullptr
  uint32_t query = 0;
  const CallInfo* pending = nullptr;  // never nullptr for kResetPending
  SiteId site = kUnknownSite;         // of `pending`
  uint64_t needed = 0, available = 0;
  HostBlock block;
};

void OnQueryUse(const QueryUse& use, Call& call);

}  // namespace gpusan::rules
