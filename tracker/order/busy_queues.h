// The queues of a context that a wait for all of it has to look at.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "absl/container/inlined_vector.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

struct Queue;

// Thread-safe. A queue is in it from the first command that the host has not waited for until
// somebody takes it out: a wait costs what there is to wait for, however many queues there are.
class BusyQueues {
 public:
  using List = absl::InlinedVector<Queue*, 8>;

  // The queue's lock is held, and so it is in here or not for all who look.
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
