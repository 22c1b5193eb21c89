// Updates of memory that nothing has written, for example counters that are never zeroed.
#pragma once

#include <functional>

#include "tracker/calls/call.h"
#include "tracker/calls/launch_updates.h"
#include "tracker/calls/operation.h"

namespace gpusan {

// Returns whether the launch may write to a resource with unwritten bytes. Takes no lock.
bool MayWriteUnwritten(const Launch& launch);

// Reports the first argument through which the launch surely updates bytes that nothing has
// written. `updated` returns the bytes that the code surely updates. Takes locks of resources.
void CheckUpdates(Call& call, const Launch& launch,
                  const std::function<UpdatedBytes(const LaunchArgument&)>& updated);

}  // namespace gpusan
