// The timelines of a process: hands out unused ones, and reuses those of released queues.
#pragma once

#include <cstdint>
#include <deque>

#include "tracker/base/spin_lock.h"
#include "tracker/model/clock.h"
#include "tracker/objects/queue.h"

namespace gpusan {

// Thread-safe.
class Timelines {
 public:
  explicit Timelines(HostClock& host) : host_(host) {}

  // Returns an unused timeline, and sets `*tick` to its last used tick. When all timelines are in
  // use, sets `*shared` and returns one whose earlier commands may be pending: this adds order that
  // does not exist, which hides findings and causes no false positive.
  TimelineId Take(uint64_t* tick, bool* shared);
  // Makes the timelines of a released queue available to Take, and removes them from the queue.
  void Retire(Queue& queue);

 private:
  HostClock& host_;
  SpinLock lock_;
  std::deque<Lane> idle_;  // of released queues; at most one entry per timeline
  uint32_t used_ = 1;      // 0 is the host
};

}  // namespace gpusan
