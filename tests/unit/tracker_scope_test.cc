// Barrier scopes, layouts, owners and semaphores: what the replay files do not reach.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/unit/tracker_fixture.h"
#include "tracker/layouts.h"
#include "tracker/scope.h"
#include "tracker/semaphore.h"

namespace gpusan::test {
namespace {

constexpr uint64_t kCopy = 1, kShade = 2, kDraw = 4;  // stages
constexpr uint64_t kRead = 1, kWrite = 2;             // accesses

ScopeBarrier MakeBarrier(uint64_t source, uint64_t source_access, uint64_t target,
                         uint64_t target_access) {
  return {source, source, source_access, target, target, target_access};
}
ScopeAccess MakeUse(uint64_t stage, bool write) {
  return {stage, write ? kWrite : kRead, write, nullptr, 0};
}

TEST_CASE("an execution scope may hold logically earlier stages that the access scope does not") {
  ScopeState state;
  state.Use(MakeUse(kCopy, true));
  ScopeBarrier barrier = MakeBarrier(kShade, kWrite, kDraw, kRead);
  barrier.source_order = kCopy | kShade;
  state.Apply(barrier);
  const ScopeHazard hazard = state.Use(MakeUse(kDraw, false));
  CHECK(hazard.kind == Hazard::kReadAfterWrite);
  CHECK(hazard.not_available);
}

TEST_CASE("a write is made visible in steps, for as many stages as there are") {
  ScopeState state;
  state.Use(MakeUse(kCopy, true));
  for (int i = 1; i < 40; ++i)
    state.Apply(MakeBarrier(kCopy, kWrite, uint64_t{1} << i, uint64_t{1} << (i % 5)));
  CHECK(state.Use({uint64_t{1} << 3, uint64_t{1} << 3, false, nullptr, 0}).kind == Hazard::kNone);
}

TEST_CASE("reads since a write hide the write, which they are behind") {
  ScopeState state;
  state.Use(MakeUse(kCopy, true));
  state.Apply(MakeBarrier(kCopy, kWrite, kShade, kRead));
  CHECK(state.Use(MakeUse(kShade, false)).kind == Hazard::kNone);
  state.Apply(MakeBarrier(kShade, 0, kCopy, 0));
  CHECK(state.Use(MakeUse(kCopy, true)).kind == Hazard::kNone);
  state.Forget();
  CHECK(state.Use(MakeUse(kDraw, true)).kind == Hazard::kNone);
}

TEST_CASE("a layout map agrees with an array") {
  std::mt19937 random(3);
  LayoutMap map(5, 4, 7);
  std::vector<Layout> each(20, 7);
  for (int step = 0; step < 3000; ++step) {
    const SubresourceRange range{
        static_cast<uint32_t>(random() % 5), static_cast<uint32_t>(random() % 6),
        static_cast<uint32_t>(random() % 4), static_cast<uint32_t>(random() % 6)};
    const Layout layout = static_cast<Layout>(random() % 3);
    map.Set(range, layout);
    for (uint32_t layer = 0; layer < 4; ++layer) {
      for (uint32_t mip = 0; mip < 5; ++mip) {
        if (mip >= range.first_mip && mip < range.first_mip + range.mips &&
            layer >= range.first_layer && layer < range.first_layer + range.layers) {
          each[layer * 5 + mip] = layout;
        }
        REQUIRE(map.At(mip, layer) == each[layer * 5 + mip]);
      }
    }
  }
}

TEST_CASE("a layout that nobody knows matches all") {
  LayoutMap image(1, 1, kNoLayout);
  RecordedLayouts commands(1, 1, 0);
  CHECK_FALSE(commands.Need({}, 3));
  CHECK_FALSE(commands.Submit(&image));
  CHECK(image.At(0, 0) == 3);
}

TEST_CASE_METHOD(
    TrackerFixture,
    "a timeline semaphore of a million signals keeps a few and forgets none that matters") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 64);
  PlainObject* object = In(kCreateCall, 1, [&](Call& call) {
    return tracker.NewPlain(call, ObjectKind::kSemaphore, 0x50, nullptr);
  });
  TimelineSemaphore semaphore(tracker, *object, 0);
  Transfer(a, buffer, true, 0, 64);
  for (uint64_t value = 1; value <= 1000000; ++value) {
    In(kWaitCall, 1, [&](Call& call) {
      CHECK(semaphore.Signal(call, value, tracker.Snap(*a)) == SemaphoreMisuse::kNone);
    });
  }
  semaphore.Wait(*b, 5);
  Transfer(b, buffer, true, 0, 64);
  CHECK(Rules().empty());
  semaphore.Observe(1000000);
  CHECK(semaphore.reached() == 1000000);
}

TEST_CASE_METHOD(TrackerFixture,
                 "waits that nobody ever signals cost bounded memory and invent nothing") {
  Queue* a = NewQueue(0x10, false);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 64);
  for (uintptr_t i = 0; i < 20000; ++i) {
    Event* gate = NewUserEvent(0x1000 + i * 8);
    Transfer(a, buffer, true, 0, 64, {gate});
    In(kReleaseCall, 4, [&](Call& call) { tracker.Release(call, gate); });
  }
  sink.Take();
  Transfer(b, buffer, true, 0, 64);
  CHECK(Rules().empty());
}

}  // namespace
}  // namespace gpusan::test
