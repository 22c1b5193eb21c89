// The rule event of a fence in a state that does not allow the call.
#pragma once

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct SyncStateUse {
  enum class Fault : uint8_t {
    kFenceSignaled,      // submitted while it is signaled
    kFenceInUse,         // submitted while an earlier submission will signal it
    kFenceResetPending,  // reset while a submission will signal it
  };
  Fault fault = Fault::kFenceSignaled;
  const Object* object = nullptr;
  const CallInfo* earlier = nullptr;  // the call of the pending submission; nullptr: none
  SiteId site = kUnknownSite;         // of `earlier`
};
void OnSyncStateUse(const SyncStateUse& use, Call& call);

}  // namespace gpusan::rules
