// Order between commands: epochs, vector clocks, and the clock of the host.
//
// An epoch names one command as (timeline, tick). Timelines are streams, in-order queues, lanes of
// out-of-order queues and Vulkan queues. The commands of one timeline are totally ordered by tick.
// A clock is the set of the latest epochs that happen before something. The host clock only grows,
// and every later command is ordered after it. So other clocks hold only epochs beyond the host
// clock.
#pragma once

#include <atomic>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace gpusan {

using TimelineId = uint16_t;
inline constexpr int kMaxTimelines = 1 << 14;

class Epoch {
 public:
  constexpr Epoch() = default;
  constexpr Epoch(TimelineId timeline, uint64_t tick) : value_(uint64_t{timeline} << 48 | tick) {}

  constexpr TimelineId timeline() const { return static_cast<TimelineId>(value_ >> 48); }
  constexpr uint64_t tick() const { return value_ & ((uint64_t{1} << 48) - 1); }
  constexpr bool valid() const { return value_ != 0; }  // ticks start at 1
  friend constexpr bool operator==(Epoch a, Epoch b) { return a.value_ == b.value_; }

 private:
  uint64_t value_ = 0;
};

// The epochs that the host has waited for. One clock serves all threads, because the program's
// mutexes are not visible. Thread-safe, lock-free.
class HostClock {
 public:
  bool Completed(Epoch epoch) const {
    return ticks_[epoch.timeline()].load(std::memory_order_acquire) >= epoch.tick();
  }
  void Join(Epoch epoch) {
    std::atomic<uint64_t>& tick = ticks_[epoch.timeline()];
    uint64_t known = tick.load(std::memory_order_relaxed);
    while (known < epoch.tick() &&
           !tick.compare_exchange_weak(known, epoch.tick(), std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<uint64_t> ticks_[kMaxTimelines] = {};
};

// A HostClock that takes no memory before its first epoch. Thread-safe, lock-free.
class LazyHostClock {
 public:
  LazyHostClock() = default;
  LazyHostClock(const LazyHostClock&) = delete;
  LazyHostClock& operator=(const LazyHostClock&) = delete;
  ~LazyHostClock() { delete clock_.load(std::memory_order_relaxed); }

  bool Completed(Epoch epoch) const {
    const HostClock* clock = clock_.load(std::memory_order_acquire);
    return clock != nullptr && clock->Completed(epoch);
  }
  void Join(Epoch epoch) {
    HostClock* clock = clock_.load(std::memory_order_acquire);
    if (clock == nullptr) [[unlikely]] {
      auto* made = new HostClock;
      if (clock_.compare_exchange_strong(clock, made, std::memory_order_acq_rel)) {
        clock = made;
      } else {
        delete made;
      }
    }
    clock->Join(epoch);
  }

 private:
  std::atomic<HostClock*> clock_{nullptr};  // owned
};

// A set of epochs beyond the host clock. Value type, not thread-safe; small and usually empty.
class Clock {
 public:
  bool empty() const { return epochs_.empty(); }
  bool Covers(Epoch epoch) const {
    for (Epoch known : epochs_) {
      if (known.timeline() == epoch.timeline()) return known.tick() >= epoch.tick();
    }
    return false;
  }
  void Join(Epoch epoch) {
    for (Epoch& known : epochs_) {
      if (known.timeline() == epoch.timeline()) {
        if (known.tick() < epoch.tick()) known = epoch;
        return;
      }
    }
    epochs_.push_back(epoch);
  }
  void Join(const Clock& other) {
    for (Epoch epoch : other.epochs_) Join(epoch);
  }
  // Removes the epochs that the host clock covers.
  void Prune(const HostClock& host) {
    for (size_t i = 0; i < epochs_.size();) {
      if (host.Completed(epochs_[i])) {
        epochs_[i] = epochs_.back();
        epochs_.pop_back();
      } else {
        ++i;
      }
    }
  }
  void Clear() { epochs_.clear(); }
  const absl::InlinedVector<Epoch, 2>& epochs() const { return epochs_; }

 private:
  absl::InlinedVector<Epoch, 2> epochs_;
};

}  // namespace gpusan
