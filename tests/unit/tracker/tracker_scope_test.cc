// Barrier scopes, layouts, owners and semaphores: what the replay files do not reach.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"
#include "tracker/order/semaphore.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::test {
namespace {

constexpr uint64_t kCopy = 1, kShade = 2, kDraw = 4;  // stages
constexpr uint64_t kRead = 1, kWrite = 2;             // accesses

ScopeBarrier MakeBarrier(uint64_t source, uint64_t source_access, uint64_t target,
                         uint64_t target_access) {
  return {source, source, source_access, target, target, target_access};
}

// One resource on queues whose commands only barriers order.
struct Scene {
  static constexpr TimelineId kQueue = 1, kOther = 2;

  std::vector<ScopedConflict> Use(uint64_t stage, bool write, const Extent& extent,
                                  uint64_t access = 0) {
    ScopedAccess use;
    use.extent = extent;
    use.epoch = Epoch(kQueue, ++tick);
    use.position = order.Next();
    use.stage = stage;
    use.access = access != 0 ? access : write ? kWrite : kRead;
    use.write = write;
    std::vector<ScopedConflict> found;
    history.Use(use, {order, before, host},
                [&](const ScopedConflict& conflict) { found.push_back(conflict); });
    return found;
  }
  std::vector<ScopedConflict> Use(uint64_t stage, bool write) {
    return Use(stage, write, Region::Linear(0, 64));
  }
  void Barrier(const ScopeBarrier& barrier) { order.Add(barrier, nullptr, 0); }
  void Transition(const ScopeBarrier& barrier, const Extent& extent) {
    ScopedAccess change;
    change.extent = extent;
    change.epoch = Epoch(kQueue, ++tick);
    change.position = order.Next();
    change.write = change.transition = true;
    history.Transition(barrier, change, {order, before, host},
                       [](const ScopedConflict&) { FAIL("a transition in conflict"); });
  }

  // To another resource, of which nobody knows where in the memory of this one it was.
  std::vector<ScopedConflict> UseAlias(uint64_t stage, bool write, ScopedHistory::Overlap overlap) {
    ScopedAccess use;
    use.extent = ImagePart();
    use.epoch = Epoch(kQueue, ++tick);
    use.position = order.Next();
    use.stage = stage;
    use.access = write ? kWrite : kRead;
    use.write = write;
    std::vector<ScopedConflict> found;
    history.UseAlias(
        use, nullptr, {order, before, host}, [&](const Extent&) { return overlap; },
        [&](const ScopedConflict& conflict) { found.push_back(conflict); });
    return found;
  }

  HostClock host;
  Clock before;
  SubmissionOrder order;
  ScopedHistory history;
  uint64_t tick = 0;
};

ImagePart Mips(uint32_t first, uint32_t count) {
  ImagePart part;
  part.aspects = 1;
  part.first_mip = first;
  part.mips = count;
  return part;
}

TEST_CASE("an execution scope may hold logically earlier stages that the access scope does not") {
  Scene scene;
  scene.Use(kCopy, true);
  ScopeBarrier barrier = MakeBarrier(kShade, kWrite, kDraw, kRead);
  barrier.source_order = kCopy | kShade;
  scene.Barrier(barrier);
  const auto found = scene.Use(kDraw, false);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Hazard::kReadAfterWrite);
  CHECK_FALSE(found[0].unordered);
  CHECK_FALSE(found[0].reach.available);
}

TEST_CASE("a barrier orders an access if one of its possible stages follows the barrier") {
  Scene scene;
  scene.Use(kCopy, true);
  scene.Barrier(MakeBarrier(kCopy, kWrite, kShade, kRead));
  CHECK(scene.Use(kShade | kDraw, false).empty());
  CHECK(scene.Use(kDraw, false).size() == 1);
}

TEST_CASE("an access to another resource of the same memory is checked, and not kept") {
  using Overlap = ScopedHistory::Overlap;
  Scene scene;
  scene.Use(kCopy, true);
  CHECK(scene.UseAlias(kDraw, false, Overlap::kUnknown).empty());
  CHECK(scene.UseAlias(kDraw, false, Overlap::kSome).size() == 1);
  scene.history.ApplyToAll(MakeBarrier(kCopy, kWrite, kDraw, kRead | kWrite), Scene::kQueue,
                           {scene.order, scene.before, scene.host});
  CHECK(scene.UseAlias(kDraw, false, Overlap::kSome).empty());
  CHECK(scene.UseAlias(kShade, true, Overlap::kAll).size() == 1);
  // It was written over.
  CHECK(scene.history.empty());
}

TEST_CASE("a write is made visible in steps, for as many stages as there are") {
  Scene scene;
  scene.Use(kCopy, true);
  for (int i = 1; i < 40; ++i)
    scene.Barrier(MakeBarrier(kCopy, kWrite, uint64_t{1} << i, uint64_t{1} << (i % 5)));
  CHECK(scene.Use(uint64_t{1} << 3, false, Region::Linear(0, 64), uint64_t{1} << 3).empty());
}

TEST_CASE("reads hide an earlier write after which they are ordered") {
  Scene scene;
  scene.Use(kCopy, true);
  scene.Barrier(MakeBarrier(kCopy, kWrite, kShade, kRead));
  CHECK(scene.Use(kShade, false).empty());
  scene.Barrier(MakeBarrier(kShade, 0, kCopy, 0));
  CHECK(scene.Use(kCopy, true).empty());
  CHECK_FALSE(scene.Use(kDraw, true).empty());
  scene.host.Join(Epoch(Scene::kQueue, scene.tick));
  CHECK(scene.Use(kDraw, true).empty());
}

TEST_CASE("only bytes that both accesses touch conflict, also after a write to a part of them") {
  Scene scene;
  scene.Use(kCopy, true, Region::Linear(0, 100));
  CHECK(scene.Use(kCopy, true, Region::Linear(100, 50)).empty());
  scene.Barrier(MakeBarrier(kCopy, kWrite, kCopy, kWrite));
  CHECK(scene.Use(kCopy, true, Region::Linear(40, 20)).empty());
  scene.Barrier(MakeBarrier(kCopy, 0, kShade, 0));  // order alone
  // Both rests of the first write, and what came between.
  CHECK(scene.Use(kShade, false, Region::Linear(0, 40)).size() == 1);
  CHECK(scene.Use(kShade, false, Region::Linear(60, 40)).size() == 1);
  CHECK(scene.Use(kShade, false, Region::Linear(40, 20)).size() == 1);
}

TEST_CASE("changes of all levels one by one replace an earlier change of the whole image") {
  Scene scene;
  scene.Transition(MakeBarrier(0, 0, kCopy, kWrite), Mips(0, 4));
  for (uint32_t mip = 0; mip < 4; ++mip) {
    CHECK(scene.Use(kCopy, true, Mips(mip, 1)).empty());
    scene.Transition(MakeBarrier(kCopy, kWrite, kDraw, kRead), Mips(mip, 1));
  }
  CHECK(scene.Use(kDraw, false, Mips(0, 4)).empty());
}

TEST_CASE("a wait for an event is a barrier only for commands before its set") {
  Scene scene;
  scene.Use(kCopy, true, Region::Linear(0, 8));
  const Position set = scene.order.Next();
  scene.Use(kCopy, true, Region::Linear(8, 8));
  scene.order.Add(MakeBarrier(kCopy, kWrite, kShade, kRead), nullptr, 0, set);
  CHECK(scene.Use(kShade, false, Region::Linear(0, 8)).empty());
  CHECK(scene.Use(kShade, false, Region::Linear(8, 8)).size() == 1);
}

TEST_CASE("the barriers of one command do not continue each other") {
  const ScopeBarrier first = MakeBarrier(kCopy, kWrite, kShade, kRead);
  const ScopeBarrier second = MakeBarrier(kShade, 0, kDraw, kRead);
  Scene scene;
  scene.Use(kCopy, true);
  const Position command = scene.order.Next();
  SECTION("global") {
    scene.order.Add(first, nullptr, 0, ~Position{0}, command);
    scene.order.Add(second, nullptr, 0, ~Position{0}, command);
  }
  SECTION("of the resource") {
    const ScopedPlace place = {scene.order, scene.before, scene.host};
    for (const ScopeBarrier& barrier : {first, second})
      scene.history.Apply(barrier, Region::Linear(0, 64), Scene::kQueue, place, ~Position{0},
                          command);
  }
  CHECK(scene.Use(kShade, false).empty());
  CHECK(scene.Use(kDraw, false).size() == 1);
  // The barrier of a later command does.
  scene.order.Add(second, nullptr, 0, ~Position{0}, scene.order.Next());
  CHECK(scene.Use(kDraw, false).empty());
}

TEST_CASE("a signal follows the stages that it names") {
  Scene scene;
  scene.Use(kCopy, true);
  scene.before.Join(Epoch(Scene::kQueue, scene.tick));
  scene.order.Acquire(scene.before, kDraw, nullptr, 0, kShade);
  CHECK(scene.Use(kDraw, false).size() == 1);
  scene.order.Acquire(scene.before, kDraw, nullptr, 0, kShade | kCopy);
  CHECK(scene.Use(kDraw, false).empty());
}

TEST_CASE("in one subpass rasterized accesses and loads are in order") {
  Scene scene;
  auto use = [&](bool write, bool rasterized, bool loads, uint8_t subpass) {
    ScopedAccess access;
    access.extent = Region::Linear(0, 64);
    access.epoch = Epoch(Scene::kQueue, ++scene.tick);
    access.position = scene.order.Next();
    access.stage = kDraw;
    access.access = write ? kWrite : kRead;
    access.write = write;
    access.rasterized = rasterized;
    access.loads = loads;
    access.pass = 1;
    access.subpass = subpass;
    size_t found = 0;
    scene.history.Use(access, {scene.order, scene.before, scene.host},
                      [&](const ScopedConflict&) { ++found; });
    return found;
  };
  CHECK(use(true, true, true, 0) == 0);     // load
  CHECK(use(false, false, false, 0) == 0);  // read of an input attachment
  CHECK(use(true, true, false, 0) == 1);    // draw over it
  CHECK(use(true, true, false, 0) == 0);
  CHECK(use(false, false, false, 0) == 1);  // read of what was drawn
  CHECK(use(true, true, false, 1) == 1);    // another subpass, after that read
}

TEST_CASE(
    "work of another queue is visible in the stages that waited for its semaphore, and in later "
    "stages") {
  Scene scene;
  ScopedAccess there;
  there.extent = Region::Linear(0, 64);
  there.epoch = Epoch(Scene::kOther, 1);
  there.position = 1;
  there.stage = kCopy;
  there.access = kWrite;
  there.write = true;
  SubmissionOrder other;
  scene.history.Use(there, {other, scene.before, scene.host}, [](const ScopedConflict&) {});
  SECTION("without a semaphore they race") {
    const auto found = scene.Use(kShade, false);
    REQUIRE(found.size() == 1);
    CHECK(found[0].other_queue);
  }
  SECTION("with one, in its stages") {
    scene.before.Join(there.epoch);
    scene.order.Acquire(scene.before, kShade, nullptr, 0);
    CHECK(scene.Use(kShade, false).empty());
    const auto found = scene.Use(kDraw, false);
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].other_queue);
    CHECK(found[0].unordered);
    scene.Barrier(MakeBarrier(kShade, 0, kDraw, kRead));
    CHECK(scene.Use(kDraw, false).empty());
  }
}

TEST_CASE("an access that is older than the stored steps counts as ordered") {
  Scene scene;
  scene.Use(kCopy, true);
  for (int i = 0; i < 3000; ++i) scene.Barrier(MakeBarrier(kDraw, 0, kDraw, 0));
  CHECK(scene.Use(kShade, false).empty());
  CHECK(scene.Use(kShade, true, Region::Linear(64, 8)).empty());
  CHECK_FALSE(scene.Use(kCopy, true, Region::Linear(64, 8)).empty());
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

TEST_CASE("an unknown layout matches all layouts, and the first mismatch is reported") {
  LayoutMap image(3, 2, kNoLayout);
  CHECK_FALSE(image.Check({0, 3, 0, 2}, 3));
  image.Set({1, 2, 1, 1}, 4);
  CHECK_FALSE(image.Check({0, 3, 0, 1}, 3));
  const auto mismatch = image.Check({0, 3, 0, 2}, 3);
  REQUIRE(mismatch);
  CHECK(mismatch->mip == 1);
  CHECK(mismatch->layer == 1);
  CHECK(mismatch->actual.layout == 4);
}

TEST_CASE_METHOD(
    TrackerFixture,
    "a timeline semaphore of a million signals keeps a few and forgets none that matters") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 64);
  SignalList signals;
  Transfer(a, buffer, true, 0, 64);
  bool kept = true;
  for (uint64_t value = 1; value <= 1000000; ++value)
    kept = signals.Add({value, tracker.ordering().Snap(*a)}) && kept;
  CHECK(kept);
  CHECK_FALSE(signals.Add({1000000, Snapshot()}));
  std::vector<Snapshot> points;
  REQUIRE(signals.PointsOf(5, &points));
  for (const Snapshot& point : points) tracker.ordering().OrderBehind(*b, point);
  Transfer(b, buffer, true, 0, 64);
  CHECK(Rules().empty());
  CHECK(signals.Observe(1000000).size() <= 128);
  CHECK(signals.reached() == 1000000);
  CHECK_FALSE(signals.pending());
  CHECK_FALSE(signals.PointsOf(1000001, &points));
}

TEST_CASE_METHOD(
    TrackerFixture,
    "the host that sees any value of a timeline is behind its signal, however many are pending") {
  Queue* a = NewQueue(0x10, true);
  SignalList signals;
  std::vector<Epoch> epochs;
  for (uint64_t value = 1; value <= 1000; ++value) {
    Transfer(a, NewBuffer(0x1000 + value * 8, 64), true, 0, 64);
    const Snapshot point = tracker.ordering().Snap(*a);
    REQUIRE(point.clock.epochs().size() == 1);
    epochs.push_back(point.clock.epochs()[0]);
    REQUIRE(signals.Add({value, point}));
  }
  Clock seen;
  uint64_t too_many = 0;
  for (uint64_t value = 1; value <= 1000; ++value) {
    for (const Snapshot& point : signals.Observe(value)) seen.Join(point.clock);
    CHECK(seen.Covers(epochs[value - 1]));
    for (uint64_t later = value; later < 1000 && seen.Covers(epochs[later]); ++later)
      too_many = std::max(too_many, later - value + 1);
  }
  CHECK(too_many <= 32);  // what is taken for complete with it
}

TEST_CASE_METHOD(TrackerFixture,
                 "a value between two signals of a timeline shows that the later has happened") {
  Queue* a = NewQueue(0x10, true);
  SignalList signals;
  std::vector<Epoch> epochs;
  for (uint64_t value : {2, 5, 8}) {
    Transfer(a, NewBuffer(0x1000 + value * 8, 64), true, 0, 64);
    const Snapshot point = tracker.ordering().Snap(*a);
    epochs.push_back(point.clock.epochs()[0]);
    REQUIRE(signals.Add({value, point}));
  }
  Clock seen;
  for (const Snapshot& point : signals.Observe(3)) seen.Join(point.clock);
  CHECK(seen.Covers(epochs[1]));
  CHECK_FALSE(seen.Covers(epochs[2]));
  CHECK(signals.reached() == 3);
  CHECK(signals.Observe(5).size() == 1);
  CHECK(signals.Observe(5).empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "waits that nobody ever signals cost bounded memory and invent nothing") {
  Queue* a = NewQueue(0x10, false);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 64);
  for (uintptr_t i = 0; i < 20000; ++i) {
    Event* gate = NewUserEvent(0x1000 + i * 8);
    Transfer(a, buffer, true, 0, 64, {gate});
    In(kReleaseCall, 4, [&](Call& call) { tracker.objects().Release(call, gate); });
  }
  sink.Take();
  Transfer(b, buffer, true, 0, 64);
  CHECK(Rules().empty());
}

TEST_CASE("a release by a family that does not own the resource is reported once") {
  Ownership ownership;
  CHECK(ownership.Use(0) == Ownership::Misuse::kNone);
  CHECK(ownership.Release(1, 2) == Ownership::Misuse::kReleasedByNonOwner);
  CHECK(ownership.released());
  CHECK(ownership.Acquire(1, 2) == Ownership::Misuse::kNone);
  CHECK(ownership.Use(2) == Ownership::Misuse::kNone);
}

TEST_CASE("a family acquires a resource that a family has released") {
  Ownership ownership;
  CHECK(ownership.Acquire(0, 1) == Ownership::Misuse::kNotReleased);
  CHECK(ownership.Release(1, 0) == Ownership::Misuse::kNone);
  CHECK(ownership.Acquire(1, 0) == Ownership::Misuse::kNone);
  ownership.Forget();
  CHECK(ownership.owner() == Ownership::kNobody);
  CHECK(ownership.Acquire(1, 2) == Ownership::Misuse::kNone);
}

TEST_CASE("a family that has discarded the content of a resource cannot lose it") {
  Ownership ownership;
  ownership.Discard(0);
  CHECK(ownership.owner() == 0);
  SECTION("another family uses it") {
    CHECK(ownership.Use(1) == Ownership::Misuse::kNone);
    CHECK(ownership.Use(0) == Ownership::Misuse::kNotOwner);
  }
  SECTION("another family releases it") {
    CHECK(ownership.Release(1, 0) == Ownership::Misuse::kNone);
    CHECK(ownership.Acquire(1, 0) == Ownership::Misuse::kNone);
    CHECK(ownership.Use(1) == Ownership::Misuse::kNotOwner);
  }
  SECTION("another family acquires it") {
    CHECK(ownership.Acquire(0, 1) == Ownership::Misuse::kNotReleased);
  }
  SECTION("the family uses it") {
    CHECK(ownership.Use(0) == Ownership::Misuse::kNone);
    CHECK(ownership.Use(1) == Ownership::Misuse::kNotOwner);
  }
}

}  // namespace
}  // namespace gpusan::test
