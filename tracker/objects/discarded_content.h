// Calls that made the content of whole resources undefined.
#pragma once

#include "tracker/model/ids.h"
#include "tracker/objects/resource.h"

namespace gpusan {

struct DiscardingCall {
  const CallInfo* call = nullptr;  // nullptr: none is known
  SiteId site = kUnknownSite;
};

// Marks all bytes of the root resource as not written, and keeps the call that made its content
// undefined. Requires: the lock of the resource is held.
void DiscardContent(Resource& root, const CallInfo& call, SiteId site);
// Returns the last call that discarded the content of the root resource. Thread-safe.
DiscardingCall DiscardedBy(const Resource& root);
// Forgets the calls in the child of a fork: they are about resources of the parent.
void ForgetDiscardsAfterFork();

}  // namespace gpusan
