// Causes, other than events of OpenCL, that may delay commands.
#pragma once

#include <atomic>

namespace gpusan::opencl {

namespace delays_internal {
inline constinit std::atomic<bool> any{false};
}  // namespace delays_internal

// Records that a command may run only after code of the program or a command of another API: a
// native kernel, a wait for a semaphore that no enqueued command signals, or an event of another
// API. Thread-safe.
inline void NoteOutsideDelay() { delays_internal::any.store(true, std::memory_order_relaxed); }

// Returns whether NoteOutsideDelay was called: commands may run later than the program's next
// change of its memory, without an event of OpenCL. Costs one load. Thread-safe.
inline bool AnyOutsideDelay() { return delays_internal::any.load(std::memory_order_relaxed); }

}  // namespace gpusan::opencl
