// How much of the program's time gpusan takes: measured in one of some hundred calls, and told at
// the end as an estimate for all.
//
// Counted is what a wrapper does around the real call, calls that it makes itself included. Not
// counted: the malloc door, and what the program loses by emptier caches. Costs a count a call.
// Thread-safe; an object belongs to the thread that made it.
#pragma once

#include <cstdint>

namespace gpusan {

class SelfTime {
 public:
  SelfTime() {
    if (--left_of_thread_ == 0) [[unlikely]]
      Begin();
  }
  ~SelfTime() {
    if (begin_ns_ != 0) [[unlikely]]
      End();
  }
  SelfTime(const SelfTime&) = delete;
  SelfTime& operator=(const SelfTime&) = delete;

  // One more call without an object, for the shortest of wrappers; false, and it does not count, if
  // it is the turn of one to be measured.
  static bool CountUnmeasured() {
    if (left_of_thread_ == 1) [[unlikely]]
      return false;
    --left_of_thread_;
    return true;
  }

  // So many more at once; where it would have been the turn of one of them, the next one is
  // measured.
  static void CountUnmeasured(uint32_t calls) {
    left_of_thread_ = left_of_thread_ > calls ? left_of_thread_ - calls : 1;
  }

  // This call is measured.
  bool on() const { return begin_ns_ != 0; }

  // Around the real call, where `on`.
  void RealBegins();
  void RealEnds();

  // The one of the measured call that this thread is in; nullptr outside of one.
  static SelfTime* Current() { return current_; }

  // Nanoseconds that all calls so far have taken by this estimate, over all threads.
  static uint64_t OwnNs();

  // In the child of a fork: nothing was measured yet.
  static void Reset();

 private:
  // A prime: programs call in loops, whose length it should not share a factor with.
  static constexpr uint32_t kEvery = 251;

  void Begin();
  void End();

  static constinit thread_local uint32_t left_of_thread_;
  static constinit thread_local SelfTime* current_;

  int64_t begin_ns_ = 0;  // of the stretch that is measured now
  int64_t own_ns_ = 0;
};

// The real call of a measured one, while it lives.
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
