// A full barrier in all threads of the process, by a system call of one of them.
#pragma once

namespace gpusan {

// Prepares the process for BarrierInAllThreads, and returns whether the kernel can do it.
// Idempotent. Takes less than a microsecond while the process has one thread, and milliseconds
// otherwise. Preserves errno. Thread-safe.
bool PrepareThreadBarrier();

// Returns after each other thread has executed a full barrier since the call. Preserves errno.
// Requires that PrepareThreadBarrier has returned true. Thread-safe.
void BarrierInAllThreads();

}  // namespace gpusan
