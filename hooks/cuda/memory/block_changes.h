// Blocks of allocators of the program (hooks/common/block_change.h) in the deferral queue.
#pragma once

#include "hooks/common/block_change.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {

// Queues the change after the calls that the program has made. Returns false, without side
// effects, if it cannot be queued: then process the queue and apply the change. Thread-safe; call
// it inside of a ReentryGuard.
bool DeferBlockChange(Tracker& tracker, const BlockChange& change);

}  // namespace gpusan::cuda
