// What gpusan measures of itself: which calls, and where the real ones are.
#include <catch2/catch.hpp>
#include <thread>

#include "hooks/common/self_time.h"

namespace gpusan {
namespace {

int MeasuredOf(int calls) {
  int measured = 0;
  for (int i = 0; i < calls; ++i) {
    const SelfTime time;
    measured += time.on() ? 1 : 0;
    if ((SelfTime::Current() != nullptr) != time.on()) return -1;
  }
  return measured;
}

TEST_CASE("one call of 251 of each thread is measured") {
  for (int i = 0; i < 2; ++i) {
    int measured = 0;
    std::thread thread([&] { measured = MeasuredOf(251 * 20); });
    thread.join();
    CHECK(measured == 20);
  }
}

TEST_CASE("a real call outside of a measured call is not measured") {
  std::thread thread([] {
    const SelfTime time;
    CHECK_FALSE(time.on());
    const RealCallTime real;
    CHECK(SelfTime::Current() == nullptr);
  });
  thread.join();
}

TEST_CASE("a reset discards what was measured") {
  SelfTime::Reset();
  CHECK(MeasuredOf(251 * 200) == 200);
  SelfTime::Reset();
  CHECK(SelfTime::OwnNs() == 0);
}

TEST_CASE("a short time represents many calls, a rare long one only itself") {
  MeasuredTimes times;
  CHECK(times.Estimate(100) == 0);
  for (int i = 0; i < 127; ++i) times.Add(10);
  CHECK(times.Estimate(100) == 127000);
  times.Add(3000000);
  CHECK(times.Estimate(100) == 3127000);
  times.Reset();
  CHECK(times.Estimate(100) == 0);
}

TEST_CASE("frequent long times represent many calls") {
  MeasuredTimes times;
  for (int i = 0; i < 500; ++i) times.Add(MeasuredTimes::kLongNs - 1);
  for (int i = 0; i < 7; ++i) times.Add(MeasuredTimes::kLongNs);
  CHECK(times.Estimate(100) == 100 * 500 * 49999ull + 7 * 50000);
  times.Add(MeasuredTimes::kLongNs);
  CHECK(times.Estimate(100) == 100 * (500 * 49999ull + 8 * 50000));
}

}  // namespace
}  // namespace gpusan
