// Kernels that order their accesses by memory. While none of them has been launched, no command
// waits for something that a kernel writes, except as the API says.
#pragma once

#include <atomic>

namespace gpusan {

// A kernel that may wait for what other kernels write, or of which that is not known, has been
// launched in this process. Or the host may have waited for a running kernel by copies, or memory
// is shared with other processes. Never reset.
inline constinit std::atomic<bool> waiting_kernels{false};

inline void NoteWaitingKernel() {
  if (!waiting_kernels.load(std::memory_order_relaxed))
    waiting_kernels.store(true, std::memory_order_relaxed);
}

}  // namespace gpusan
