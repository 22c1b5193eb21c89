// Pending transfers of host memory that belonged to functions which have returned.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/model/clock.h"
#include "tracker/state/host_side.h"

namespace gpusan {

// Reports a pending command that accesses the stack of the calling thread below the frame of the
// call. No function that still runs owns this memory. Call it in a call that waits on the host,
// before the wait counts. Costs one load if no command uses host memory. Takes locks of `side`.
void CheckLeftStack(Call& call, HostSide& side, const HostClock& host);

// The calling thread ends, and all its functions have returned: finds a pending command that
// accesses its stack below `frame`. Copies the access to `*pending` and returns true, or returns
// false. Costs one load if no command uses host memory. Takes locks of `side`.
bool FindEndedStack(HostSide& side, const HostClock& host, uintptr_t frame, Access* pending);

}  // namespace gpusan
