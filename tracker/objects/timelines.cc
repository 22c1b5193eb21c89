// Timelines: reuse of the timelines of released queues.
#include "tracker/objects/timelines.h"

#include <mutex>

namespace gpusan {
namespace {

constexpr TimelineId kSharedTimeline = kMaxTimelines - 1;

}  // namespace

TimelineId Timelines::Take(uint64_t* tick, bool* shared) {
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
      return lane.timeline;
    }
    idle_.push_back(lane);
  }
  if (used_ < kSharedTimeline) {
    *tick = 0;
    return static_cast<TimelineId>(used_++);
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
    return lane.timeline;
  }
  *tick = uint64_t{1} << 40;
  return kSharedTimeline;
}

void Timelines::Retire(Queue& queue) {
  std::lock_guard lock(lock_);
  for (const Lane& lane : queue.lanes) {
    if (lane.timeline != kSharedTimeline) idle_.push_back(lane);
  }
  queue.lanes.clear();
}

}  // namespace gpusan
