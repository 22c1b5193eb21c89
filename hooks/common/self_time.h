// An estimate of the time that gpusan takes: it measures one of kEvery calls of each thread and
// extrapolates to all.
//
// The measure is the time of a wrapper outside of the real call, including calls that the wrapper
// itself makes to the driver. It excludes the hooks of malloc and the effect on the program's
// caches. Overhead: one decrement per call. Thread-safe; an object belongs to the thread that
// created it.
#pragma once

#include <cstdint>

namespace gpusan {

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
