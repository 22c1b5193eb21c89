// An event that can be recorded repeatedly, such as a CUDA event. It represents the point of its
// last record.
#pragma once

#include <mutex>

#include "tracker/base/spin_lock.h"
#include "tracker/model/order_point.h"

namespace gpusan {

// Thread-safe.
class EventRecord {
 public:
  // Replaces the point. Snapshots that earlier waits took do not change.
  void Record(const Snapshot& point) {
    std::lock_guard lock(lock_);
    point_ = point;
    recorded_ = true;
  }
  // Like Record, without a copy: `take(Snapshot*)` fills the point. Runs `take` under the lock.
  template <typename Take>
  void RecordWith(Take take) {
    std::lock_guard lock(lock_);
    take(&point_);
    recorded_ = true;
  }
  // Returns to the state before the first record.
  void Reset() {
    std::lock_guard lock(lock_);
    point_ = Snapshot();
    recorded_ = false;
  }
  // Copies the point of the last record to `*point`. Returns false if there was no record; a wait
  // for the event then has no effect.
  bool Get(Snapshot* point) const {
    std::lock_guard lock(lock_);
    if (recorded_) *point = point_;
    return recorded_;
  }
  // Like Get, without a copy: calls `use(const Snapshot&)` under the lock.
  template <typename Use>
  bool With(Use use) const {
    std::lock_guard lock(lock_);
    if (recorded_) use(point_);
    return recorded_;
  }

 private:
  mutable SpinLock lock_;
  Snapshot point_;
  bool recorded_ = false;
};

}  // namespace gpusan
