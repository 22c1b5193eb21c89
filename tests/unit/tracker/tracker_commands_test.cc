// Order between commands as the tracker sees it: queues, lanes, events, barriers, gates.
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

using Strings = std::vector<std::string>;

TEST_CASE_METHOD(TrackerFixture, "two in-order queues race where no event orders them") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  const Command write = Transfer(a, buffer, true, 0, 4096, {}, 50);
  Transfer(b, buffer, false, 0, 4096, {}, 51);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == RuleId::kRace);
  CHECK(findings[0].site == 51);
  CHECK(findings[0].parties.at(0).site == 50);
}

TEST_CASE_METHOD(TrackerFixture,
                 "an event orders a command and all before it on its in-order queue") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  Transfer(a, buffer, true, 0, 2048);
  Event* event = EventOf(0x40, Transfer(a, buffer, true, 2048, 2048));
  Transfer(b, buffer, false, 0, 4096, {event});
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture, "order by events is transitive over three queues") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Queue* c = NewQueue(0x21, false);
  Resource* buffer = NewBuffer(0x30, 4096);
  Resource* other = NewBuffer(0x31, 4096);
  Event* first = EventOf(0x40, Transfer(a, buffer, true, 0, 4096));
  Event* second = EventOf(0x41, Transfer(b, other, true, 0, 64, {first}));
  Transfer(c, buffer, true, 0, 4096, {second});
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture, "lanes of an out-of-order queue are used again when ordered") {
  Queue* queue = NewQueue(0x10, false);
  Resource* buffer = NewBuffer(0x30, 1 << 20);
  Event* last = nullptr;
  for (uintptr_t i = 0; i < 1000; ++i) {
    std::vector<Event*> waits;
    if (last != nullptr) waits.push_back(last);
    last = EventOf(0x1000 + i * 8, Transfer(queue, buffer, true, 0, 4096, waits));
  }
  CHECK(queue->lanes.size() == 1);
  for (uintptr_t i = 0; i < 20; ++i) Transfer(queue, buffer, true, 8192 + i * 64, 64);
  CHECK(queue->lanes.size() == 21);
  In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
  for (uintptr_t i = 0; i < 100; ++i) {
    Transfer(queue, buffer, true, 0, 1 << 20);
    In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
  }
  CHECK(queue->lanes.size() == 21);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "a barrier of an out-of-order queue orders all before it and all behind it") {
  Queue* queue = NewQueue(0x10, false);
  Resource* buffer = NewBuffer(0x30, 4096);
  Transfer(queue, buffer, true, 0, 2048);
  Transfer(queue, buffer, true, 2048, 2048);
  Barrier(queue);
  Transfer(queue, buffer, false, 0, 4096);
  CHECK(Rules().empty());
  Transfer(queue, buffer, true, 0, 4096);
  CHECK(Rules() == Strings{"race"});
}

TEST_CASE_METHOD(
    TrackerFixture,
    "what the host waited for before it sets a user event is ordered before what waits for it") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  Event* gate = NewUserEvent(0x40);
  Event* written = EventOf(0x41, Transfer(a, buffer, true, 0, 4096));
  Transfer(b, buffer, false, 0, 4096, {gate});
  CHECK(Rules().empty());
  SECTION("waited for") {
    In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitEvent(*written); });
    Signal(gate, 0);
    CHECK(Rules().empty());
  }
  SECTION("not waited for") {
    Signal(gate, 0);
    CHECK(Rules() == Strings{"race"});
  }
  SECTION("given up") {
    Signal(gate, -1);
    CHECK(Rules().empty());
  }
}

TEST_CASE_METHOD(TrackerFixture,
                 "a command behind a barrier that is behind a gated command is gated too") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, false);
  Resource* buffer = NewBuffer(0x30, 4096);
  Resource* other = NewBuffer(0x31, 4096);
  Event* gate = NewUserEvent(0x40);
  Event* written = EventOf(0x41, Transfer(a, buffer, true, 0, 4096));
  Transfer(b, other, true, 0, 64, {gate});
  Barrier(b);
  Transfer(b, buffer, false, 0, 4096);
  CHECK(Rules().empty());
  In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitEvent(*written); });
  Signal(gate, 0);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "a command behind a user event that failed never runs and races with nothing") {
  Queue* a = NewQueue(0x10, false);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  Event* gate = NewUserEvent(0x40);
  Transfer(a, buffer, true, 0, 4096, {gate});
  Signal(gate, -5);
  Transfer(b, buffer, true, 0, 4096);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(
    TrackerFixture,
    "a user event that is signalled while commands are enqueued behind it leaves no gate closed") {
  Queue* a = NewQueue(0x10, false);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 64);
  for (uintptr_t round = 0; round < 200; ++round) {
    Event* gate = NewUserEvent(0x40 + round * 8);
    std::thread signal([&] { Signal(gate, 0); });
    const Command command = Transfer(a, buffer, true, 0, 64, {gate});
    Event* event = EventOf(0x100000 + round * 8, command);
    signal.join();
    const Command behind = Transfer(b, buffer, true, 0, 64, {event});
    REQUIRE(behind.gates == 0);
    In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*b); });
    In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*a); });
    Release(gate);
    Release(event);
  }
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "a semaphore value that is signalled later orders by what the signal is behind") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Queue* c = NewQueue(0x21, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  PlainObject* semaphore = In(kCreateCall, 1, [&](Call& call) {
    return tracker.objects().NewPlain(call, ObjectKind::kSemaphore, 0x50, nullptr);
  });
  auto open = [&](uint64_t value, const Snapshot& point) {
    In(kWaitCall, 8,
       [&](Call& call) { tracker.ordering().OpenGate(call, *semaphore, value, point); });
  };
  Transfer(a, buffer, true, 0, 4096);
  tracker.ordering().GateBehind(*b, *semaphore, 2);
  const Command read = Transfer(b, buffer, false, 0, 4096);
  CHECK(Rules().empty());
  SECTION("the signal is behind the write") {
    open(1, {});
    open(2, tracker.ordering().Snap(*a));
    CHECK(Rules().empty());
    SECTION("later commands of the waiting queue are behind it too") {
      Transfer(b, buffer, true, 0, 4096);
      CHECK(Rules().empty());
    }
    SECTION("and what waits for an event of the gated command") {
      Transfer(c, buffer, true, 0, 4096, {EventOf(0x60, read)});
      CHECK(Rules().empty());
    }
    SECTION("and the host, once it has waited for the gated command") {
      In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*b); });
      Transfer(c, buffer, true, 0, 4096);
      CHECK(Rules().empty());
    }
  }
  SECTION("the signal comes from elsewhere") {
    open(2, tracker.ordering().Snap(*c));
    CHECK(Rules() == Strings{"race"});
  }
  SECTION("the signalling queue waits for a value itself") {
    tracker.ordering().GateBehind(*c, *semaphore, 1);
    open(2, tracker.ordering().Snap(*c));
    CHECK(Rules().empty());
    open(1, tracker.ordering().Snap(*a));
    CHECK(Rules().empty());
  }
}

TEST_CASE_METHOD(TrackerFixture, "a command that fails leaves nothing behind") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* buffer = NewBuffer(0x30, 4096);
  Command command = Transfer(a, buffer, true, 0, 4096);
  tracker.accesses().Rollback(command);
  Transfer(b, buffer, true, 0, 4096);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "timelines of released queues serve again, over any number of queues") {
  Resource* buffer = NewBuffer(0x30, 4096);
  const bool finish = GENERATE(true, false);
  for (uintptr_t i = 0; i < 100000; ++i) {
    Queue* queue = NewQueue(0x1000 + i % 500 * 8, i % 3 != 0);
    Transfer(queue, buffer, false, 0, 64);
    if (finish) In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
    Release(queue);
  }
  CHECK(Rules().empty());
  if (finish) CHECK(tracker.ordering().dropped() == 0);
  // Two queues of now are still told apart.
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  CHECK(a->lanes[0].timeline != b->lanes[0].timeline);
  Resource* fresh = NewBuffer(0x31, 64);
  Transfer(a, fresh, true, 0, 64);
  Transfer(b, fresh, true, 0, 64);
  CHECK(Rules() == Strings{"race"});
}

TEST_CASE_METHOD(
    TrackerFixture,
    "many threads on queues of their own and one shared buffer find no race among reads") {
  Resource* buffer = NewBuffer(0x30, 1 << 16);
  std::vector<std::thread> threads;
  for (uintptr_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Queue* queue = NewQueue(0x100 + t * 8, t % 2 == 0);
      Resource* own = NewBuffer(0x200 + t * 8, 4096);
      for (uintptr_t i = 0; i < 400; ++i) {
        Event* event =
            EventOf(0x10000 * (t + 1) + i % 50 * 8, Transfer(queue, buffer, false, 0, 1 << 16));
        Transfer(queue, own, true, 0, 4096, {event});
        if (i % 10 == 0) In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitEvent(*event); });
        Release(event);
        if (t % 2 != 0) Barrier(queue);
      }
      In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
      Release(own);
      Release(queue);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "a launch that reads unwritten bytes of a whole buffer is reported once") {
  Queue* queue = NewQueue(0x10, true);
  Kernel* kernel = In(kCreateCall, 1, [&](Call& call) {
    return tracker.objects().NewKernel(call, 0x20, nullptr, nullptr, "sum");
  });
  for (const uint64_t written : {uint64_t{0}, uint64_t{1024}}) {
    Resource* buffer = In(kCreateCall, 2, [&](Call& call) {
      ResourceSpec spec;
      spec.handle = 0x30 + written;
      spec.bytes = 4096;
      return tracker.objects().NewResource(call, spec);
    });
    if (written != 0) Transfer(queue, buffer, true, 0, written);
    // The same buffer for two parameters, and the launch twice: one finding.
    LaunchArgument argument;
    argument.resource = buffer;
    argument.element_bytes = 4;
    argument.direction = Direction::kRead;
    const LaunchArgument arguments[] = {argument, argument};
    Launch launch;
    launch.kernel = kernel;
    launch.arguments = arguments;
    launch.work_items = 1024;
    for (int i = 0; i < 2; ++i)
      In(kLaunchCall, 5, [&](Call& call) { tracker.accesses().CheckLaunch(call, launch); });
    const std::vector<Finding> findings = sink.Take();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule ==
          (written == 0 ? RuleId::kUninitializedRead : RuleId::kPartiallyInitialized));
    CHECK(findings[0].severity == Severity::kWarning);
  }
}

}  // namespace
}  // namespace gpusan::test
