// The queues of a context that a wait for the whole context must examine.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "absl/container/inlined_vector.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

struct Queue;

// A queue is in the list from its first command that the host has not waited for until Remove or
// Take. The cost of a wait depends on the number of busy queues, not on that of all queues.
// Thread-safe.
class BusyQueues {
 public:
  using List = absl::InlinedVector<Queue*, 8>;

  // Requires that the caller holds the queue's lock, so that all threads that examine the queue
  // agree on whether it is in the list.
  void Add(Queue* queue) {
    std::lock_guard lock(lock_);
    queues_.push_back(queue);
    any_.store(true, std::memory_order_release);
  }

  void Remove(Queue* queue) {
    std::lock_guard lock(lock_);
    queues_.erase(std::remove(queues_.begin(), queues_.end(), queue), queues_.end());
  }

  List Take() {
    if (!any_.load(std::memory_order_acquire)) return {};
    std::lock_guard lock(lock_);
    any_.store(false, std::memory_order_release);
    List taken(queues_.begin(), queues_.end());
    queues_.clear();
    return taken;
  }

 private:
  SpinLock lock_;
  std::atomic<bool> any_{false};
  List queues_;
};

}  // namespace gpusan
