// The timelines of a process: hands out unused ones, and reuses those of released queues.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/model/clock.h"
#include "tracker/objects/queue.h"

namespace gpusan {

// Thread-safe.
class Timelines {
 public:
  explicit Timelines(HostClock& host) : host_(host) {}

  // Returns an unused timeline for `owner`, and sets `*tick` to its last used tick. When all
  // timelines are in use, sets `*shared` and returns one whose earlier commands may be pending:
  // this adds order that does not exist, which hides findings and causes no false positive.
  TimelineId Take(Queue* owner, uint64_t* tick, bool* shared);
  // Makes the timelines of a released queue available to Take, and removes them from the queue.
  void Retire(Queue& queue);
  // Returns the queue that took the timeline last; nullptr: it is released, or several queues share
  // the timeline.
  Queue* OwnerOf(TimelineId timeline) const;

 private:
  HostClock& host_;
  mutable SpinLock lock_;
  std::deque<Lane> idle_;  // of released queues; at most one entry per timeline
  std::vector<Queue*> owners_ = std::vector<Queue*>(1);  // by timeline; 0 is the host
};

}  // namespace gpusan
