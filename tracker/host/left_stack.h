// Pending commands that use stack memory whose function has returned.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/host/host_side.h"
#include "tracker/model/clock.h"

namespace gpusan {

// Reports a pending command that accesses the stack of the calling thread below the frame of the
// call. No running function owns this memory. Call it in a call that waits on the host, before the
// wait is recorded. Costs two loads if neither a command nor an object uses host memory. Takes
// locks of `side` and of resources.
void CheckLeftStack(Call& call, HostSide& side, const HostClock& host);

// Finds a pending command that accesses the stack of the calling thread below `frame`. Copies the
// access to `*pending` and returns true, or returns false. Stores the object whose storage is there
// to `*storage`, if there is one. Call it at the end of the thread, when all its functions have
// returned. Costs as much as CheckLeftStack, and takes the same locks.
bool FindEndedStack(HostSide& side, const HostClock& host, uintptr_t frame, Access* pending,
                    const Resource** storage);

}  // namespace gpusan
