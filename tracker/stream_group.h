// Streams that one of them, the legacy stream, joins without being asked: a command of it comes
// after everything in all blocking streams before, and their later commands come after it. Streams
// that are not in the group are exempt.
#pragma once

#include <atomic>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/tracker.h"

namespace gpusan {

// Thread-safe. Queues are not owned and must be taken out before they are released. A command costs
// two loads where nothing was enqueued on the other side since the last one; one of the legacy
// stream costs as much as there are streams with something new.
class StreamGroup {
 public:
  StreamGroup(Tracker& tracker, Queue* legacy) : tracker_(tracker), legacy_(legacy) {
    legacy_->group = this;
  }

  void Add(Queue* blocking);
  void Remove(Queue* blocking);

  // Before a command is enqueued (Tracker::Begin) or an event recorded. Nothing for streams that
  // are not of the group.
  void Join(Queue& queue) {
    if (queue.group != this) return;
    if (&queue == legacy_) {
      if (any_news_.load(std::memory_order_acquire)) JoinMembers();
    } else if (queue.group_version.load(std::memory_order_relaxed) !=
               version_.load(std::memory_order_acquire)) {
      JoinLegacy(queue);
    }
  }
  // After Tracker::Begin, or after the queue was ordered behind something else: the others have
  // something to join.
  void Began(Queue& queue) {
    if (queue.group != this) return;
    if (&queue == legacy_) {
      version_.fetch_add(1, std::memory_order_release);
    } else if (!queue.group_news.load(std::memory_order_relaxed)) {
      AddNews(queue);
    }
  }
  // After the host has waited for a stream: the legacy stream stands for all of the group.
  void Wait(Queue& queue);

  Queue* legacy() const { return legacy_; }
  std::vector<Queue*> Members();

 private:
  void JoinMembers();
  void JoinLegacy(Queue& queue);
  void AddNews(Queue& queue);

  Tracker& tracker_;
  Queue* const legacy_;
  std::atomic<uint64_t> version_{0};  // grows with each command of the legacy stream
  std::atomic<bool> any_news_{false};
  SpinLock lock_;
  std::vector<Queue*> blocking_;
  std::vector<Queue*>
      news_;  // of blocking_, what has commands that the legacy stream has not joined
};

}  // namespace gpusan
