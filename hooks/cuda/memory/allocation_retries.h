// Allocations that failed for lack of memory. If the program then makes another allocation instead,
// the finding becomes a note. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// True while an allocation has failed and no later allocation has replaced it. One load.
namespace allocation_retries_internal {
extern std::atomic<bool> any;
}
inline bool AnyFailedAllocation() {
  return allocation_retries_internal::any.load(std::memory_order_relaxed);
}

// Keeps the finding about a failed allocation of `bytes` that the call has reported.
void NoteOutOfMemory(CuCall& call, const Finding& finding, uint64_t bytes);
// Call it when the call allocated `bytes`. This allocation can replace an earlier failed allocation
// of the same thread if it is at the same call site or not much smaller. If so, reports the finding
// of the failed allocation again, as a note.
void AllocatedInstead(CuCall& call, uint64_t bytes);

}  // namespace gpusan::cuda
