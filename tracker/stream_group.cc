// Joins between the legacy stream and the blocking streams.
#include "tracker/stream_group.h"

#include <algorithm>
#include <mutex>

namespace gpusan {

void StreamGroup::Add(Queue* blocking) {
  std::lock_guard lock(lock_);
  blocking_.push_back(blocking);
}

void StreamGroup::Remove(Queue* blocking) {
  std::lock_guard lock(lock_);
  blocking_.erase(std::remove(blocking_.begin(), blocking_.end(), blocking), blocking_.end());
}

std::vector<Queue*> StreamGroup::Members() {
  std::lock_guard lock(lock_);
  return blocking_;
}

void StreamGroup::Join(Queue& queue) {
  if (&queue == legacy_) {
    for (Queue* member : Members()) tracker_.OrderBehind(queue, tracker_.Snap(*member));
    return;
  }
  const std::vector<Queue*> members = Members();
  if (std::find(members.begin(), members.end(), &queue) == members.end()) return;
  tracker_.OrderBehind(queue, tracker_.Snap(*legacy_));
}

void StreamGroup::Wait(Queue& queue) {
  tracker_.WaitQueue(queue);
  if (&queue != legacy_) return;
  for (Queue* member : Members()) tracker_.WaitQueue(*member);
}

}  // namespace gpusan
