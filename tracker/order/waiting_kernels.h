// Kernels that wait for values in memory, and functions of the host in queues. Until the first one
// runs, only calls of the API order commands.
#pragma once

#include <atomic>

namespace gpusan {

// True if the process has launched a kernel that may wait for a value that another kernel writes.
// Also true if the host may have waited for a running kernel by copies, or if memory is shared with
// other processes. Never reset.
inline constinit std::atomic<bool> waiting_kernels{false};

// The program has enqueued functions of its own, which may wait for another thread. Never reset.
inline constinit std::atomic<bool> host_functions{false};

inline void NoteHostFunction() {
  if (!host_functions.load(std::memory_order_relaxed))
    host_functions.store(true, std::memory_order_relaxed);
}

inline void NoteWaitingKernel() {
  if (!waiting_kernels.load(std::memory_order_relaxed))
    waiting_kernels.store(true, std::memory_order_relaxed);
}

}  // namespace gpusan
