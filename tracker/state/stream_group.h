// The implicit order between CUDA's legacy stream and the blocking streams: a command of the legacy
// stream comes after all earlier commands of the blocking streams, and before all their later
// commands. Non-blocking streams are not in the group.
#pragma once

#include <atomic>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/state/ordering.h"

namespace gpusan {

// The group does not own its queues; remove each queue before its release. Thread-safe.
//
// A command costs two loads if the other side has enqueued nothing since the last command.
// Otherwise a command of the legacy stream costs one join for each stream with new commands.
class StreamGroup {
 public:
  StreamGroup(Ordering& ordering, Queue* legacy) : ordering_(ordering), legacy_(legacy) {
    legacy_->group = this;
  }

  void Add(Queue* blocking);
  void Remove(Queue* blocking);

  // Orders the queue after the other side of the group. Call it before a command is enqueued
  // (Ordering::Begin) or an event is recorded. Does nothing for streams outside the group.
  void Join(Queue& queue) {
    if (queue.group != this) return;
    if (&queue == legacy_) {
      if (any_news_.load(std::memory_order_acquire)) JoinMembers();
    } else if (queue.group_version.load(std::memory_order_relaxed) !=
               version_.load(std::memory_order_acquire)) {
      JoinLegacy(queue);
    }
  }
  // Notes that the other side of the group must join the queue. Call it after Ordering::Begin, and
  // after the queue was ordered after another point. Does nothing for streams outside the group.
  void Began(Queue& queue) {
    if (queue.group != this) return;
    if (&queue == legacy_) {
      version_.fetch_add(1, std::memory_order_release);
    } else if (!queue.group_news.load(std::memory_order_relaxed)) {
      AddNews(queue);
    }
  }
  // Orders all later commands of the group after all earlier ones, as a command of the legacy
  // stream does. Costs one load if nothing was enqueued since the last such order.
  void OrderAll() {
    if (!any_news_.load(std::memory_order_acquire)) return;
    JoinMembers();
    version_.fetch_add(1, std::memory_order_release);
  }
  // Records that the host has waited for a stream. A wait for the legacy stream is a wait for all
  // streams of the group.
  void Wait(Queue& queue);

  Queue* legacy() const { return legacy_; }
  std::vector<Queue*> Members();

 private:
  void JoinMembers();
  void JoinLegacy(Queue& queue);
  void AddNews(Queue& queue);

  Ordering& ordering_;
  Queue* const legacy_;
  std::atomic<uint64_t> version_{0};  // grows with each command of the legacy stream
  std::atomic<bool> any_news_{false};
  SpinLock lock_;
  std::vector<Queue*> blocking_;
  // The members of blocking_ with commands that the legacy stream has not joined.
  std::vector<Queue*> news_;
};

}  // namespace gpusan
