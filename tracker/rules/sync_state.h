// The rule event of a fence, semaphore or event in a state that does not allow the call.
#pragma once

#include <string>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct SyncStateUse {
  // The faults, with their texts, are in sync_state.def.
  enum class Fault : uint8_t {
#define GPUSAN_SYNC_FAULT(symbol, ...) symbol,
#include "tracker/rules/sync_state.def"
#undef GPUSAN_SYNC_FAULT
  };
  Fault fault = Fault::kFenceSignaled;
  const Object* object = nullptr;
  const CallInfo* earlier = nullptr;  // the earlier call that the fault depends on; nullptr: none
  SiteId site = kUnknownSite;         // of `earlier`
  std::string value, other;           // as the text of the fault needs them
};
void OnSyncStateUse(const SyncStateUse& use, Call& call);

}  // namespace gpusan::rules
