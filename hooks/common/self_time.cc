// Clock readings and sums of the measured calls.
#include "hooks/common/self_time.h"

#include <time.h>

#include <algorithm>
#include <atomic>

namespace gpusan {
namespace {

constinit MeasuredTimes g_measured;
constinit std::atomic<int64_t> g_reading_ns{-1};  // the cost of reading the clock

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

// Returns the cost [ns] of reading the clock, which each interval between two readings contains
// once.
int64_t ReadingNs() {
  int64_t cost = g_reading_ns.load(std::memory_order_relaxed);
  if (cost >= 0) return cost;
  cost = 1000;
  for (int i = 0; i < 16; ++i) {
    const int64_t begin = NowNs();
    cost = std::min(cost, NowNs() - begin);
  }
  g_reading_ns.store(cost, std::memory_order_relaxed);
  return cost;
}

}  // namespace

void MeasuredTimes::Add(int64_t ns) {
  Sum& sum = ns < kLongNs ? short_ : long_;
  sum.calls.fetch_add(1, std::memory_order_relaxed);
  sum.ns.fetch_add(static_cast<uint64_t>(ns), std::memory_order_relaxed);
}

uint64_t MeasuredTimes::Estimate(uint64_t every) const {
  const uint64_t calls = short_.calls.load(std::memory_order_relaxed);
  const uint64_t long_calls = long_.calls.load(std::memory_order_relaxed);
  const bool frequent = long_calls >= kFewLong && long_calls * kRarely > calls + long_calls;
  return short_.ns.load(std::memory_order_relaxed) * every +
         long_.ns.load(std::memory_order_relaxed) * (frequent ? every : 1);
}

void MeasuredTimes::Reset() {
  for (Sum* sum : {&short_, &long_}) {
    sum->calls.store(0, std::memory_order_relaxed);
    sum->ns.store(0, std::memory_order_relaxed);
  }
}

constinit thread_local uint32_t SelfTime::done_of_thread_ = 0;
constinit thread_local SelfTime* SelfTime::current_ = nullptr;

void SelfTime::Begin() {
  done_of_thread_ = 0;
  ReadingNs();
  current_ = this;
  begin_ns_ = NowNs();
}

void SelfTime::RealBegins() { own_ns_ += std::max<int64_t>(0, NowNs() - begin_ns_ - ReadingNs()); }

void SelfTime::RealEnds() { begin_ns_ = NowNs(); }

void SelfTime::End() {
  RealBegins();
  current_ = nullptr;
  g_measured.Add(own_ns_);
}

uint64_t SelfTime::OwnNs() { return g_measured.Estimate(kEvery); }

void SelfTime::Reset() { g_measured.Reset(); }

}  // namespace gpusan
