// The list of queues that a wait for all of a context looks at: what is enqueued is never left out.
#include "tracker/order/busy_queues.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

// As a wait for a whole context does.
size_t WaitForAll(Tracker& tracker, BusyQueues* busy) {
  const BusyQueues::List taken = busy->Take();
  for (Queue* queue : taken) {
    queue->Taken();
    tracker.ordering().WaitQueue(*queue);
    queue->ListUnlessIdle();
  }
  return taken.size();
}

TEST_CASE("a queue is listed once, from its first command until the host waits") {
  TrackerFixture fixture;
  BusyQueues busy;
  Queue* a = fixture.NewQueue(0x100, true);
  Queue* b = fixture.NewQueue(0x108, true);
  for (Queue* queue : {a, b}) queue->ListIn(&busy);
  WaitForAll(fixture.tracker, &busy);
  CHECK(WaitForAll(fixture.tracker, &busy) == 0);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  fixture.Transfer(a, buffer, true, 0, 64);
  const Command last = fixture.Transfer(a, buffer, true, 0, 64);
  CHECK(WaitForAll(fixture.tracker, &busy) == 1);
  CHECK(fixture.tracker.ordering().host().Completed(last.epoch));
  CHECK(WaitForAll(fixture.tracker, &busy) == 0);
  fixture.Transfer(b, buffer, true, 0, 64);
  b->ListIn(nullptr);
  CHECK(WaitForAll(fixture.tracker, &busy) == 0);
}

TEST_CASE(
    "a queue that is ordered after a point is listed, and stays listed behind a closed gate") {
  TrackerFixture fixture;
  BusyQueues busy;
  Queue* a = fixture.NewQueue(0x100, true);
  Queue* b = fixture.NewQueue(0x108, true);
  b->ListIn(&busy);
  WaitForAll(fixture.tracker, &busy);
  Resource* buffer = fixture.NewBuffer(0x200, 64);
  fixture.Transfer(a, buffer, true, 0, 64);
  fixture.tracker.ordering().OrderBehind(*b, fixture.tracker.ordering().Snap(*a));
  CHECK(WaitForAll(fixture.tracker, &busy) == 1);
  Event* gate = fixture.NewUserEvent(0x300);
  fixture.Barrier(b, {gate});
  CHECK(WaitForAll(fixture.tracker, &busy) == 1);
  CHECK(WaitForAll(fixture.tracker, &busy) == 1);
  fixture.Signal(gate, 0, 9);
  CHECK(WaitForAll(fixture.tracker, &busy) == 1);
  CHECK(WaitForAll(fixture.tracker, &busy) == 0);
}

TEST_CASE("commands that threads enqueue during a wait are covered by the last wait") {
  TrackerFixture fixture;
  BusyQueues busy;
  constexpr int kThreads = 4;
  std::vector<Queue*> queues;
  for (uintptr_t i = 0; i < kThreads; ++i) {
    queues.push_back(fixture.NewQueue(0x100 + i * 8, true));
    queues.back()->ListIn(&busy);
  }
  std::vector<Epoch> last(kThreads);
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        fixture.In(kWriteCall, 5, [&](Call& call) {
          Command command;
          fixture.tracker.ordering().Begin(call, command, queues[static_cast<size_t>(t)], {});
          last[static_cast<size_t>(t)] = command.epoch;
        });
      }
      running.fetch_sub(1);
    });
  }
  while (running.load() != 0) WaitForAll(fixture.tracker, &busy);
  for (std::thread& thread : threads) thread.join();
  WaitForAll(fixture.tracker, &busy);
  for (const Epoch& epoch : last) CHECK(fixture.tracker.ordering().host().Completed(epoch));
  for (const Queue* queue : queues) CHECK(queue->idle());
}

}  // namespace
}  // namespace gpusan::test
