// Failed calls that the program repeated with success: probes of what the driver accepts. Their
// findings become notes. Thread-safe.
#pragma once

#include <atomic>

#include "tracker/calls/call.h"

namespace gpusan {

namespace retried_failures_internal {
extern std::atomic<bool> any;
}
// True while a failure is kept. One load.
inline bool AnyKeptFailure() {
  return retried_failures_internal::any.load(std::memory_order_relaxed);
}

// Keeps the finding that the failed call has reported, if the function creates, loads, sets up or
// queries something. Commands are not kept, because a later command is not a second attempt.
void KeepFailure(Call& call, const Finding& finding);

// The call succeeded. Reports the kept findings of the same thread again, as notes, if the function
// is the same, or one name begins with the other, and the same function of the program made both
// calls.
void Succeeded(Call& call);

}  // namespace gpusan
