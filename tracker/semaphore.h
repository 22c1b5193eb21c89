// Semaphores between queues: binary ones, and timelines of growing values that may be waited for
// before they are signalled.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tracker/snapshot.h"
#include "tracker/spin_lock.h"
#include "tracker/tracker.h"

namespace gpusan {

enum class SemaphoreMisuse : uint8_t {
  kNone,
  kSignaledTwice,     // a binary semaphore whose signal nobody has waited for
  kNothingToWaitFor,  // a binary semaphore that nothing submitted will signal
  kValueNotGreater,   // a timeline value that is reached already, or signalled by something else
};

// Thread-safe.
class BinarySemaphore {
 public:
  // A signal was submitted behind `point`.
  SemaphoreMisuse Signal(const Snapshot& point);
  // A wait was submitted; it takes the signal away. What comes next is behind *point.
  SemaphoreMisuse Wait(Snapshot* point);

 private:
  SpinLock lock_;
  Snapshot point_;
  bool signaled_ = false;
};

// Thread-safe. Signals that nobody waits for are bounded; beyond, waits bind to a later signal
// (which orders more).
class TimelineSemaphore {
 public:
  TimelineSemaphore(Tracker& tracker, Object& object, uint64_t initial)
      : tracker_(tracker), object_(object), reached_(initial) {}

  // A signal of `value` was submitted behind `point`, or given by the host (an empty point). Judges
  // what waited for it.
  SemaphoreMisuse Signal(Call& call, uint64_t value, const Snapshot& point);
  // A wait was submitted: what comes next on the queue is behind the signals up to `value`, known
  // or not.
  void Wait(Queue& queue, uint64_t value);
  // The host has seen the value, by waiting or by asking.
  void Observe(uint64_t value);
  uint64_t reached() const { return reached_; }

 private:
  struct Signalled {
    uint64_t value;
    Snapshot point;
  };
  static constexpr size_t kMaxSignals = 64;

  // Signals up to `value` and the first that is not smaller; false when nothing submitted reaches
  // it.
  bool Collect(uint64_t value, std::vector<Snapshot>* points) const;

  Tracker& tracker_;
  Object& object_;
  mutable SpinLock lock_;
  uint64_t reached_;                // that the host knows of
  std::vector<Signalled> signals_;  // by value
};

}  // namespace gpusan
