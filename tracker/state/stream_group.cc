// Joins between the legacy stream and the blocking streams.
#include "tracker/state/stream_group.h"

#include <algorithm>
#include <mutex>

namespace gpusan {

void StreamGroup::Add(Queue* blocking) {
  std::lock_guard lock(lock_);
  blocking->group = this;
  blocking_.push_back(blocking);
}

void StreamGroup::Remove(Queue* blocking) {
  // Later commands of the legacy stream come after the pending commands of the removed stream.
  if (blocking->group_news.load(std::memory_order_acquire))
    ordering_.OrderBehind(*legacy_, ordering_.Snap(*blocking));
  std::lock_guard lock(lock_);
  blocking->group = nullptr;
  blocking_.erase(std::remove(blocking_.begin(), blocking_.end(), blocking), blocking_.end());
  news_.erase(std::remove(news_.begin(), news_.end(), blocking), news_.end());
}

std::vector<Queue*> StreamGroup::Members() {
  std::lock_guard lock(lock_);
  return blocking_;
}

void StreamGroup::AddNews(Queue& queue) {
  std::lock_guard lock(lock_);
  if (queue.group_news.exchange(true, std::memory_order_acq_rel)) return;
  news_.push_back(&queue);
  any_news_.store(true, std::memory_order_release);
}

void StreamGroup::JoinMembers() {
  std::lock_guard lock(lock_);
  // Clear the flags before the snapshots: a command that begins meanwhile sets the flag again.
  for (Queue* member : news_) member->group_news.store(false, std::memory_order_release);
  for (Queue* member : news_) ordering_.OrderBehind(*legacy_, ordering_.Snap(*member));
  news_.clear();
  // Clear any_news_ last: until the joins are done, a command of the legacy stream on another
  // thread must wait here, so that it is ordered after these streams, too.
  any_news_.store(false, std::memory_order_release);
}

void StreamGroup::JoinLegacy(Queue& queue) {
  const uint64_t version = version_.load(std::memory_order_acquire);
  ordering_.OrderBehind(queue, ordering_.Snap(*legacy_));
  queue.group_version.store(version, std::memory_order_relaxed);
}

void StreamGroup::Wait(Queue& queue) {
  ordering_.WaitQueue(queue);
  if (&queue != legacy_) return;
  for (Queue* member : Members()) ordering_.WaitQueue(*member);
}

}  // namespace gpusan
