// The order that flags in memory give: a command writes a flag, and a kernel on another timeline
// waits for the flag in a loop. Everything in front of the first command may be ordered before
// everything after the kernel.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/model/clock.h"

namespace gpusan {

// Thread-safe.
class FlagOrder {
 public:
  // A transfer of at most this size [bytes] may write or poll a flag.
  static constexpr uint64_t kMostBytes = 8;

  // Records that the command may write a flag for which kernels wait.
  void NoteWrite(Epoch epoch) { writes_.Join(epoch); }
  // Records that the command is a kernel that waits in a loop for what others write. Call it before
  // the accesses of the kernel are checked. `host`: what the host has waited for.
  void NoteWait(Epoch epoch, const HostClock& host);
  // Returns whether a flag may order the two commands, in either direction. The later command is
  // the one that is enqueued now.
  bool MayOrder(Epoch earlier, Epoch later, const HostClock& host) const {
    return has_waits_.load(std::memory_order_acquire) && MayOrderSlow(earlier, later, host);
  }

 private:
  // The kernels of one timeline that wait: the first one since the host last waited for all of
  // them, and the last one [ticks].
  struct Waits {
    TimelineId timeline;
    uint64_t first, last;
  };

  [[gnu::noinline]] bool MayOrderSlow(Epoch earlier, Epoch later, const HostClock& host) const;

  LazyHostClock writes_;  // the last possible write of each timeline
  std::atomic<bool> has_waits_{false};
  mutable SpinLock lock_;     // guards waits_
  std::vector<Waits> waits_;  // at most one element for each timeline
};

}  // namespace gpusan
