// The rule event of an object, such as a fence, an event or a command buffer, in a state that does
// not allow the call.
#pragma once

#include <string>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct SyncStateUse {
  // The faults, with their texts, are in sync_state.def.
  enum class Fault : uint16_t {
#define GPUSAN_SYNC_FAULT(symbol, ...) symbol,
#define GPUSAN_SYNC_FAULT_OF(check, symbol, ...) symbol,
#include "tracker/rules/states/sync_state.def"
#undef GPUSAN_SYNC_FAULT
#undef GPUSAN_SYNC_FAULT_OF
  };
  Fault fault = Fault::kFenceSignaled;
  const Object* object = nullptr;
  const CallInfo* earlier = nullptr;  // the earlier call that the fault depends on; nullptr: none
  SiteId site = kUnknownSite;         // of `earlier`
  std::string value, other;           // as the text of the fault needs them
};

// Adds the finding of the check that the row of the fault names.
void OnSyncStateUse(const SyncStateUse& use, Call& call);

}  // namespace gpusan::rules
