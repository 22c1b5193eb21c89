// An event that is recorded again and again, as CUDA's are: it stands for the point of its last
// record.
#pragma once

#include <mutex>

#include "tracker/base/spin_lock.h"
#include "tracker/model/order_point.h"

namespace gpusan {

// Thread-safe.
class EventRecord {
 public:
  // Replaces the point; who waited before keeps the point that it waited for.
  void Record(const Snapshot& point) {
    std::lock_guard lock(lock_);
    point_ = point;
    recorded_ = true;
  }
  // The same without a copy: `take` fills the point it is given.
  template <typename Take>
  void RecordWith(Take take) {
    std::lock_guard lock(lock_);
    take(&point_);
    recorded_ = true;
  }
  // As if it had never been recorded.
  void Reset() {
    std::lock_guard lock(lock_);
    point_ = Snapshot();
    recorded_ = false;
  }
  // The point of the last record. False if there was none: to wait is then no wait.
  bool Get(Snapshot* point) const {
    std::lock_guard lock(lock_);
    if (recorded_) *point = point_;
    return recorded_;
  }
  // Get without a copy: `use` sees the point while nobody can replace it.
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
