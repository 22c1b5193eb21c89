// An estimate of the time that gpusan takes: it measures one of kEvery calls of each thread and
// extrapolates to all.
//
// The measure is the time of a wrapper outside of the real call, including calls that the wrapper
// itself makes to the driver. It excludes the hooks of malloc and the effect on the program's
// caches. Overhead: one decrement per call. Thread-safe; an object belongs to the thread that
// created it.
#pragma once

#include <atomic>
#include <cstdint>

namespace gpusan {

// The times of the measured calls. A long time usually contains what happens once (the first call
// from a place reads debug information) or a stretch in which the thread did not run. Such times
// represent only themselves, unless they are frequent. Thread-safe.
class MeasuredTimes {
 public:
  static constexpr int64_t kLongNs = 50000;
  // Long times are frequent if there are at least kFewLong, and more than one in kRarely.
  static constexpr uint64_t kFewLong = 8;
  static constexpr uint64_t kRarely = 64;

  void Add(int64_t ns);

  // Returns the estimate [ns] for all calls, if each measured call represents `every` calls.
  uint64_t Estimate(uint64_t every) const;

  void Reset();

 private:
  struct Sum {
    std::atomic<uint64_t> calls{0};
    std::atomic<uint64_t> ns{0};
  };
  Sum short_, long_;
};

class SelfTime {
 public:
  SelfTime() {
    if (++done_of_thread_ == kEvery) [[unlikely]]
      Begin();
  }
  ~SelfTime() {
    if (begin_ns_ != 0) [[unlikely]]
      End();
  }
  SelfTime(const SelfTime&) = delete;
  SelfTime& operator=(const SelfTime&) = delete;

  // Counts a call without an object, for the fastest wrappers. Returns false, without counting, if
  // this call is to be measured.
  static bool CountUnmeasured() {
    if (done_of_thread_ == kEvery - 1) [[unlikely]]
      return false;
    ++done_of_thread_;
    return true;
  }

  // Counts several calls at once. If one of them would have been measured, the next call is.
  static void CountUnmeasured(uint32_t calls) {
    done_of_thread_ = calls < kEvery - done_of_thread_ ? done_of_thread_ + calls : kEvery - 1;
  }

  // Returns whether this call is measured.
  bool on() const { return begin_ns_ != 0; }

  // Call these around the real call if on() is true.
  void RealBegins();
  void RealEnds();

  // Returns the object of the measured call that the calling thread is in; nullptr if it is in
  // none.
  static SelfTime* Current() { return current_; }

  // Returns the estimate [ns] for all calls so far, over all threads.
  static uint64_t OwnNs();

  // Discards all measurements, in the child of a fork.
  static void Reset();

 private:
  // A prime, so that it shares no factor with the number of calls in a loop of the program.
  static constexpr uint32_t kEvery = 251;

  void Begin();
  void End();

  // Calls since the last measured one. Initially 0: thread storage with another initial value would
  // take room of its own.
  static constinit thread_local uint32_t done_of_thread_;
  static constinit thread_local SelfTime* current_;

  int64_t begin_ns_ = 0;  // of the current stretch outside of the real call; 0: not measured
  int64_t own_ns_ = 0;
};

// Marks the real call inside a measured call, from construction to destruction.
class RealCallTime {
 public:
  RealCallTime() {
    if (time_ != nullptr) time_->RealBegins();
  }
  ~RealCallTime() {
    if (time_ != nullptr) time_->RealEnds();
  }
  RealCallTime(const RealCallTime&) = delete;
  RealCallTime& operator=(const RealCallTime&) = delete;

 private:
  SelfTime* const time_ = SelfTime::Current();
};

}  // namespace gpusan
