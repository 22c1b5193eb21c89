// Pending transfers of host memory whose rights or content the program takes away.
#pragma once

#include "tracker/host/host_side.h"
#include "tracker/memory/host_memory.h"
#include "tracker/model/clock.h"
#include "tracker/order/access.h"

namespace gpusan {

// Finds a pending command to which the loss matters: it writes memory that is now writable and
// loses this right, it uses memory that loses all rights, or it uses anonymous memory whose content
// is discarded. Copies the access to `*pending` and returns true, or returns false. Returns false
// for lost rights if a handler of SIGSEGV may return. Call it before the real call. Costs one load
// if no command uses host memory. Takes locks of `side`.
bool FindLostMemory(HostSide& side, const HostClock& host, const HostBlock& range, HostLoss loss,
                    Access* pending);

}  // namespace gpusan
