// Kernels that order their accesses by memory. While none of them has been launched, no command
// waits for something that a kernel writes, except as the API says.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/clock.h"

namespace gpusan {

// A kernel that may wait for what other kernels write, or of which that is not known, has been
// launched in this process. Or the host may have waited for a running kernel by copies, or memory
// is shared with other processes. Never reset.
inline constinit std::atomic<bool> waiting_kernels{false};

inline void NoteWaitingKernel() {
  if (!waiting_kernels.load(std::memory_order_relaxed))
    waiting_kernels.store(true, std::memory_order_relaxed);
}

// The orders that memory can give: a command writes a flag, and a kernel on another timeline waits
// for the flag in a loop. Everything in front of the first command may be in front of everything
// behind the kernel. All functions are thread-safe.

// Whether a transfer of `bytes` may be one of a flag.
inline bool IsFlag(uint64_t bytes) { return bytes <= 8; }
// Records that the command may write a flag for which kernels wait.
void NoteFlagWrite(Epoch epoch);
// Records that the command is a kernel that waits in a loop for what others write. Call it before
// the accesses of the kernel are checked. `host`: what the host has waited for.
void NoteFlagWait(Epoch epoch, const HostClock& host);
// Returns whether a flag may order the two commands, in either direction. The later command is the
// one that is enqueued now.
bool MayBeOrderedByFlag(Epoch earlier, Epoch later, const HostClock& host);

}  // namespace gpusan
