// Points in the order of commands: taken, taken again, joined, and given up.
#include <catch2/catch.hpp>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

TEST_CASE("a point of a queue that waits for nothing is one epoch") {
  TrackerFixture fixture;
  Queue* queue = fixture.NewQueue(0x100, true);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  const Command first = fixture.Transfer(queue, buffer, true, 0, 64);
  const Command second = fixture.Transfer(queue, buffer, true, 0, 64);
  const Snapshot point = fixture.tracker.ordering().Snap(*queue);
  REQUIRE(point.clock.epochs().size() == 1);
  CHECK(point.clock.Covers(first.epoch));
  CHECK(point.clock.Covers(second.epoch));
  CHECK(point.gates == 0);
}

TEST_CASE("a point that is taken again keeps nothing of its old value") {
  TrackerFixture fixture;
  Queue* a = fixture.NewQueue(0x100, true);
  Queue* b = fixture.NewQueue(0x101, true);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  const Command of_a = fixture.Transfer(a, buffer, false, 0, 64);
  Snapshot point;
  fixture.tracker.ordering().Snap(*a, &point);
  REQUIRE(point.clock.Covers(of_a.epoch));
  const Command of_b = fixture.Transfer(b, buffer, false, 0, 64);
  fixture.tracker.ordering().Snap(*b, &point);
  CHECK(point.clock.Covers(of_b.epoch));
  CHECK_FALSE(point.clock.Covers(of_a.epoch));
}

TEST_CASE(
    "points do not keep epochs that the host has waited for, however many queues there were") {
  TrackerFixture fixture;
  Queue* queue = fixture.NewQueue(0x100, true);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  for (uintptr_t i = 0; i < 20; ++i) {
    Queue* other = fixture.NewQueue(0x1000 + i, true);
    fixture.Transfer(other, buffer, false, 0, 64);
    fixture.tracker.ordering().OrderBehind(*queue, fixture.tracker.ordering().Snap(*other));
    fixture.tracker.ordering().WaitQueue(*other);
  }
  fixture.Transfer(queue, buffer, false, 0, 64);
  CHECK(fixture.tracker.ordering().Snap(*queue).clock.epochs().size() == 1);
}

TEST_CASE("a joined point is ordered after both points") {
  TrackerFixture fixture;
  Queue* a = fixture.NewQueue(0x100, true);
  Queue* b = fixture.NewQueue(0x101, true);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  const Command of_a = fixture.Transfer(a, buffer, false, 0, 64);
  const Command of_b = fixture.Transfer(b, buffer, false, 0, 64);
  Snapshot point = fixture.tracker.ordering().Snap(*a);
  fixture.tracker.ordering().JoinPoint(&point, fixture.tracker.ordering().Snap(*b));
  CHECK(point.clock.Covers(of_a.epoch));
  CHECK(point.clock.Covers(of_b.epoch));
}

TEST_CASE("an event that is recorded in place replaces its point and is read in place") {
  EventRecord record;
  CHECK_FALSE(record.With([](const Snapshot&) { FAIL("was never recorded"); }));
  record.RecordWith([](Snapshot* point) { point->clock.Join(Epoch(3, 7)); });
  record.RecordWith([](Snapshot* point) {
    point->clock.Clear();
    point->clock.Join(Epoch(4, 1));
  });
  bool seen = false;
  CHECK(record.With([&](const Snapshot& point) {
    seen = true;
    CHECK(point.clock.Covers(Epoch(4, 1)));
    CHECK_FALSE(point.clock.Covers(Epoch(3, 7)));
  }));
  CHECK(seen);
}

TEST_CASE("commands that wait for an unknown signal are not checked, and later commands are") {
  TrackerFixture fixture;
  Queue* a = fixture.NewQueue(0x100, true);
  Queue* b = fixture.NewQueue(0x101, true);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  PlainObject* unseen = fixture.In(kCreateCall, 6, [&](Call& call) {
    return fixture.tracker.objects().NewPlain(call, ObjectKind::kSemaphore, 0x300, nullptr);
  });
  fixture.tracker.ordering().GateBehind(*b, *unseen, 1);
  fixture.Transfer(a, buffer, true, 0, 64);
  fixture.Transfer(b, buffer, false, 0, 64);
  CHECK(fixture.sink.Take().empty());
  fixture.In(kWaitCall, 7,
             [&](Call& call) { fixture.tracker.ordering().AbandonGate(call, *unseen, 1); });
  fixture.tracker.ordering().WaitQueue(*b);
  CHECK(fixture.sink.Take().empty());
  fixture.Transfer(b, buffer, false, 0, 64);
  CHECK(fixture.sink.Take().size() == 1);
}

}  // namespace
}  // namespace gpusan::test
