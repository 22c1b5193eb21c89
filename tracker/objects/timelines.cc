// Timelines: reuse of the timelines of released queues.
#include "tracker/objects/timelines.h"

#include <mutex>

namespace gpusan {
namespace {

constexpr TimelineId kSharedTimeline = kMaxTimelines - 1;

}  // namespace

TimelineId Timelines::Take(Queue* owner, uint64_t* tick, bool* shared) {
  *shared = false;
  std::lock_guard lock(lock_);
  // Reuse an idle timeline whose commands are all known to be complete; its ticks continue. Other
  // timelines move to the end of the list, so that one which never completes does not block the
  // rest.
  for (size_t look = 0; look < idle_.size() && look < 16; ++look) {
    const Lane lane = idle_.front();
    idle_.pop_front();
    if (host_.Completed(Epoch(lane.timeline, lane.tick))) {
      *tick = lane.tick;
      owners_[lane.timeline] = owner;
      return lane.timeline;
    }
    idle_.push_back(lane);
  }
  if (owners_.size() < kSharedTimeline) {
    *tick = 0;
    owners_.push_back(owner);
    return static_cast<TimelineId>(owners_.size() - 1);
  }
  // All timelines are in use: the host never waited for the commands of about 16,000 queues. Treat
  // the commands of a queue that was released long ago as complete; without a released queue, use
  // the shared timeline.
  *shared = true;
  if (!idle_.empty()) {
    const Lane lane = idle_.front();
    idle_.pop_front();
    host_.Join(Epoch(lane.timeline, lane.tick));
    *tick = lane.tick;
    owners_[lane.timeline] = owner;
    return lane.timeline;
  }
  *tick = uint64_t{1} << 40;
  return kSharedTimeline;
}

void Timelines::Retire(Queue& queue) {
  std::lock_guard lock(lock_);
  for (const Lane& lane : queue.lanes) {
    if (lane.timeline == kSharedTimeline) continue;
    idle_.push_back(lane);
    owners_[lane.timeline] = nullptr;
  }
  queue.lanes.clear();
}

Queue* Timelines::OwnerOf(TimelineId timeline) const {
  std::lock_guard lock(lock_);
  return timeline < owners_.size() ? owners_[timeline] : nullptr;
}

}  // namespace gpusan
