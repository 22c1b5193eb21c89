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

TEST_CASE("measured calls represent all calls, until they are reset") {
  SelfTime::Reset();
  CHECK(SelfTime::OwnNs() == 0);
  CHECK(MeasuredOf(251 * 200) == 200);
  CHECK(SelfTime::OwnNs() % 251 == 0);
  SelfTime::Reset();
  CHECK(SelfTime::OwnNs() == 0);
}

}  // namespace
}  // namespace gpusan
