// Semaphores: signals are kept until they are waited for.
#include "tracker/semaphore.h"

#include <algorithm>

namespace gpusan {

SemaphoreMisuse BinarySemaphore::Signal(const Snapshot& point) {
  std::lock_guard lock(lock_);
  if (signaled_) return SemaphoreMisuse::kSignaledTwice;
  point_ = point;
  signaled_ = true;
  return SemaphoreMisuse::kNone;
}

SemaphoreMisuse BinarySemaphore::Wait(Snapshot* point) {
  std::lock_guard lock(lock_);
  if (!signaled_) return SemaphoreMisuse::kNothingToWaitFor;
  *point = point_;
  signaled_ = false;
  return SemaphoreMisuse::kNone;
}

SemaphoreMisuse TimelineSemaphore::Signal(Call& call, uint64_t value, const Snapshot& point) {
  {
    std::lock_guard lock(lock_);
    if (value <= reached_) return SemaphoreMisuse::kValueNotGreater;
    const auto at = std::lower_bound(
        signals_.begin(), signals_.end(), value,
        [](const Signalled& known, uint64_t wanted) { return known.value < wanted; });
    if (at != signals_.end() && at->value == value) return SemaphoreMisuse::kValueNotGreater;
    signals_.insert(at, {value, point});
    if (signals_.size() > kMaxSignals) {
      // The next one takes the oldest over: values grow, so it is behind it.
      signals_[1].point.clock.Join(signals_[0].point.clock);
      signals_.erase(signals_.begin());
    }
  }
  tracker_.OpenGate(call, object_, value, point);
  return SemaphoreMisuse::kNone;
}

bool TimelineSemaphore::Collect(uint64_t value, std::vector<Snapshot>* points) const {
  for (const Signalled& known : signals_) {
    points->push_back(known.point);
    if (known.value >= value) return true;
  }
  return false;
}

void TimelineSemaphore::Wait(Queue& queue, uint64_t value) {
  std::vector<Snapshot> points;
  bool known;
  {
    std::lock_guard lock(lock_);
    if (value <= reached_) return;
    known = Collect(value, &points);
    // The gate is put up before the lock is given back: a signal of now comes behind it.
    if (!known) tracker_.GateBehind(queue, object_, value);
  }
  for (const Snapshot& point : points) tracker_.OrderBehind(queue, point);
}

void TimelineSemaphore::Observe(uint64_t value) {
  std::vector<Snapshot> points;
  {
    std::lock_guard lock(lock_);
    if (value <= reached_) return;
    reached_ = value;
    Collect(value, &points);
    const auto last = std::upper_bound(
        signals_.begin(), signals_.end(), value,
        [](uint64_t wanted, const Signalled& known) { return wanted < known.value; });
    signals_.erase(signals_.begin(), last);
  }
  for (const Snapshot& point : points) tracker_.WaitSnapshot(point);
}

}  // namespace gpusan
