// The queue of deferred CUDA commands: order, a full ring, take-back, gpusan's thread, several
// threads, and the child of a fork.
//
// No result depends on time. Where a test waits for a thread, it waits until that thread is done.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/guard.h"
#include "hooks/cuda/call/thread_id.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::cuda {

// What the higher floors define.
const Vocabulary& Words() {
  static const test::NeutralVocabulary words;
  return words;
}
Context* CuCall::current() { return nullptr; }
CUresult CuCall::DoneSlow(CUresult code) {
  Finish(code);
  return code;
}

namespace {

using deferred_internal::processed;
using deferred_internal::queued;
using deferred_internal::Worker;
using deferred_internal::worker;

constexpr CuInfo kInfo = {{"cuTest", Api::kCuda}, Slot{}, false};
constexpr uint32_t kRingBytes = 128 << 10;  // as in deferral_queue.cc

// `value` is repeated behind the struct up to the end of the command.
struct TestCommand : DeferredCommand {
  uint64_t value;
  uint64_t* words() { return reinterpret_cast<uint64_t*>(this + 1); }
  uint64_t count() const { return (bytes - sizeof(TestCommand)) / 8; }
};

struct Seen {
  uint64_t number;
  uint64_t value;
  uint64_t before;  // number of the command that this one may be compared with; 0: none
  int32_t caller;   // the thread that made the call
  int32_t thread;   // the thread that processes the command
  bool intact;      // the words behind the command
  bool guarded;
};
// Written by processing functions, which run one at a time.
std::vector<Seen> g_seen;

template <bool comparable>
bool See(DeferredCommand& command, const DeferredCommand* before, ProcessedCommand* result) {
  auto& one = static_cast<TestCommand&>(command);
  Seen seen = {one.number,
               one.value,
               before != nullptr ? before->number : 0,
               one.thread,
               ThreadId(),
               true,
               ReentryGuard::Active()};
  for (uint64_t i = 0; i < one.count(); ++i) seen.intact &= one.words()[i] == one.value;
  g_seen.push_back(seen);
  result->epoch = Epoch(3, one.number);
  result->explained = one.value % 2 != 0;
  return comparable;
}
constexpr DeferredKind kKind = {&See<false>};
constexpr DeferredKind kComparableKind = {&See<true>};

// A processing function that waits until the test lets it go on.
std::atomic<bool> g_inside{false}, g_leave{false};
bool SeeLater(DeferredCommand& command, const DeferredCommand* before, ProcessedCommand* result) {
  g_inside.store(true);
  while (!g_leave.load()) std::this_thread::yield();
  return See<false>(command, before, result);
}
constexpr DeferredKind kSlowKind = {&SeeLater};

// A new queue, and no thread of gpusan's unless the test starts one.
class QueueFixture : public test::TrackerFixture {
 public:
  QueueFixture() {
    driver_internal::hooks = Hooks();
    ForkReset::RunAll();
    g_seen.clear();
    g_inside.store(false);
    g_leave.store(false);
  }
  ~QueueFixture() { driver_internal::hooks = Hooks(); }

  FastCall NewCall(uintptr_t site = 7) {
    return FastCall(tracker, kInfo, reinterpret_cast<const void*>(site), nullptr,
                    AttachPath::kPreload);
  }
  // Queues a command; returns its number, 0 if there was no room. May be called by any thread.
  uint64_t Queue(uint64_t value, bool returned = true, uint32_t bytes = sizeof(TestCommand),
                 const DeferredKind& kind = kKind) {
    FastCall call = NewCall();
    call.site();
    DeferredRoom room(bytes);
    if (room.get() == nullptr) return 0;
    auto& one = *new (room.get()) TestCommand;
    one.value = value;
    for (uint32_t at = 0; at < (bytes - sizeof(TestCommand)) / 8; ++at) one.words()[at] = value;
    room.Enqueue(call, nullptr, kind, returned, bytes);
    return call.ticket;
  }
  bool TakeBack(uint64_t number, ProcessedCommand* result) {
    CuCall call(NewCall());
    const bool taken = TakeBackDeferred(call, number, result);
    explained = call.explained();
    return taken;
  }
  bool explained = false;  // of the last TakeBack
};

std::vector<uint64_t> Values() {
  std::vector<uint64_t> values;
  for (const Seen& seen : g_seen) values.push_back(seen.value);
  return values;
}

// Runs the function in a child process and returns whether all EXPECT held. The function may start
// threads that never end, if this process has one thread.
template <typename Function>
bool InChild(Function function) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(600);  // ends a child that hangs
    function();
    _exit(0);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
void Expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "in the child: %s\n", what);
  _exit(1);
}
#define EXPECT(condition) Expect(condition, #condition)

TEST_CASE_METHOD(QueueFixture, "commands are processed in the order in which they were queued") {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < 100; ++i) {
    CHECK(Queue(i, i % 3 != 0, sizeof(TestCommand) + i % 7 * 8) == i + 1);
    values.push_back(i);
  }
  CHECK(g_seen.empty());
  ProcessDeferred();
  CHECK(Values() == values);
  for (size_t i = 0; i < g_seen.size(); ++i) {
    CHECK(g_seen[i].number == i + 1);
    CHECK(g_seen[i].before == 0);
    CHECK(g_seen[i].caller == ThreadId());
    CHECK(g_seen[i].thread == ThreadId());
    CHECK(g_seen[i].intact);
    CHECK(g_seen[i].guarded);
  }
  ProcessDeferred();
  CHECK(g_seen.size() == 100);
  Queue(100);
  SettleDeferred();
  CHECK(Values().back() == 100);
}

TEST_CASE_METHOD(QueueFixture, "a command keeps what the call was") {
  static const FastCall* expected;
  static bool equal;
  constexpr DeferredKind kCompare = {
      [](DeferredCommand& command, const DeferredCommand*, ProcessedCommand*) {
        equal = command.tracker == &expected->tracker() && command.info == &expected->cu_info() &&
                command.site == 9 && command.path == expected->path() && command.time == 0 &&
                command.number == expected->ticket && command.stream == expected->stream;
        return false;
      }};
  FastCall call = NewCall(9);
  int stream = 0;
  call.stream = reinterpret_cast<Stream*>(&stream);
  CHECK(MayDefer(call));
  {
    DeferredRoom room(sizeof(DeferredCommand));
    room.Enqueue(call, call.stream, kCompare, true, sizeof(DeferredCommand));
  }
  expected = &call;
  ProcessDeferred();
  CHECK(equal);
}

TEST_CASE_METHOD(QueueFixture, "a room that is given up leaves the queue unchanged") {
  Queue(1);
  { DeferredRoom room(DeferredRoom::kMostBytes); }
  Queue(2);
  // At the end of the ring, where the room would begin at the start.
  while (kRingBytes - queued.load() % kRingBytes >= DeferredRoom::kMostBytes) Queue(3);
  { DeferredRoom room(DeferredRoom::kMostBytes); }
  Queue(4);
  ProcessDeferred();
  CHECK(g_seen[0].value == 1);
  CHECK(g_seen[1].value == 2);
  CHECK(g_seen.back().value == 4);
  CHECK(processed.load() == queued.load());
}

TEST_CASE_METHOD(QueueFixture, "a full ring is processed by the call that needs room") {
  uint32_t random = 1;
  uint64_t bytes = 0, i = 0;
  for (; bytes < 20 * kRingBytes; ++i) {
    random = random * 1664525 + 1013904223;
    const uint32_t most = i % 4 == 0 ? DeferredRoom::kMostBytes : 400;
    const uint32_t size =
        sizeof(TestCommand) + (random >> 8) % (most - sizeof(TestCommand)) / 8 * 8;
    REQUIRE(Queue(i, i % 2 == 0, size) == i + 1);
    REQUIRE(queued.load() - processed.load() <= kRingBytes);
    bytes += size;
  }
  ProcessDeferred();
  REQUIRE(g_seen.size() == i);
  for (uint64_t at = 0; at < i; ++at) {
    REQUIRE(g_seen[at].value == at);
    REQUIRE(g_seen[at].number == at + 1);
    REQUIRE(g_seen[at].intact);
  }
}

TEST_CASE_METHOD(QueueFixture, "each size of the rest at the end of the ring is skipped") {
  constexpr uint32_t kLarge = sizeof(TestCommand) + 256;
  for (uint32_t rest = 8; rest <= kLarge; rest += 8) {
    ForkReset::RunAll();
    g_seen.clear();
    std::vector<uint64_t> values;
    while (kRingBytes - queued.load() > 2 * DeferredRoom::kMostBytes) {
      Queue(values.size(), true, DeferredRoom::kMostBytes);
      values.push_back(values.size());
    }
    ProcessDeferred();
    const auto left = static_cast<uint32_t>(kRingBytes - queued.load()) - rest;
    for (uint32_t size : {left / 16 * 8, left - left / 16 * 8, kLarge}) {
      Queue(values.size(), true, size);
      values.push_back(values.size());
    }
    REQUIRE(queued.load() >= kRingBytes);
    ProcessDeferred();
    REQUIRE(Values() == values);
    for (const Seen& seen : g_seen) REQUIRE(seen.intact);
  }
}

TEST_CASE_METHOD(QueueFixture, "a command is compared with the command processed before it") {
  Queue(1, true, sizeof(TestCommand), kComparableKind);
  Queue(2, true, sizeof(TestCommand), kKind);
  Queue(3, true, sizeof(TestCommand), kComparableKind);
  const uint64_t taken = Queue(4, false, sizeof(TestCommand), kComparableKind);
  Queue(5, true, sizeof(TestCommand), kComparableKind);
  Queue(6, true, sizeof(TestCommand), kComparableKind);
  ProcessedCommand result;
  CHECK(TakeBack(taken, &result));
  REQUIRE(Values() == std::vector<uint64_t>{1, 2, 3, 5, 6});
  CHECK(g_seen[0].before == 0);
  CHECK(g_seen[1].before == g_seen[0].number);
  CHECK(g_seen[2].before == 0);
  // The room of command 3 is free as soon as the command that was taken back is skipped.
  CHECK(g_seen[3].before == 0);
  CHECK(g_seen[4].before == g_seen[3].number);
  // Nothing is compared across two times of processing.
  Queue(7, true, sizeof(TestCommand), kComparableKind);
  ProcessDeferred();
  CHECK(g_seen[5].before == 0);
}

TEST_CASE_METHOD(QueueFixture, "a command that is taken back in time is not processed") {
  Queue(1);
  const uint64_t number = Queue(2, false);
  Queue(3);
  ProcessedCommand result;
  CHECK(TakeBack(number, &result));
  CHECK_FALSE(explained);
  // The commands before and after it are.
  CHECK(Values() == std::vector<uint64_t>{1, 3});
  CHECK(processed.load() == queued.load());
  // Its number is not used again.
  CHECK(Queue(4) == number + 2);
}

TEST_CASE_METHOD(QueueFixture, "a command that is taken back too late yields its result") {
  const uint64_t first = Queue(1, false), second = Queue(2, false);
  ProcessDeferred();
  ProcessedCommand result;
  CHECK_FALSE(TakeBack(first, &result));
  CHECK(result.number == first);
  CHECK(result.epoch == Epoch(3, first));
  CHECK(result.explained);
  CHECK(explained);
  CHECK_FALSE(TakeBack(second, &result));
  CHECK(result.number == second);
  CHECK_FALSE(explained);
  // The results of the last 256 commands are known.
  for (int i = 0; i < 256; ++i) Queue(0);
  ProcessDeferred();
  CHECK_FALSE(TakeBack(second, &result));
  CHECK(result.number == 0);
  CHECK_FALSE(result.epoch.valid());
  CHECK(Values().size() == 258);
}

TEST_CASE_METHOD(QueueFixture, "no call is deferred after StopDeferral, or without a call site") {
  FastCall call = NewCall(), unknown = NewCall(0);
  CHECK(MayDefer(call));
  CHECK(MayDeferWait(call));
  CHECK_FALSE(MayDefer(unknown));
  Queue(1);
  StopDeferral();
  CHECK_FALSE(MayDefer(call));
  CHECK_FALSE(MayDeferWait(call));
  // What is queued already is processed.
  CHECK(g_seen.empty());
  ProcessDeferred();
  CHECK(Values() == std::vector<uint64_t>{1});
}

TEST_CASE_METHOD(QueueFixture, "commands of several threads keep the order of each thread") {
  constexpr uint64_t kThreads = 4, kCommands = 2000;
  std::atomic<uint64_t> running{kThreads};
  std::atomic<bool> failed{false};
  std::vector<std::vector<uint64_t>> taken(kThreads), late(kThreads);
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < kCommands; ++i) {
        const uint64_t value = thread << 32 | i;
        const bool returned = i % 5 != 0;
        const uint64_t number = Queue(
            value, returned, static_cast<uint32_t>(sizeof(TestCommand) + (i + thread) % 60 * 8));
        if (number == 0) failed.store(true);
        if (returned) continue;
        if (i % 2 == 0) {
          DeferredReturned(number);
          continue;
        }
        CuCall call(NewCall());
        ProcessedCommand result;
        const bool in_time = TakeBackDeferred(call, number, &result);
        // Another thread may have processed more than 256 commands since.
        if (!in_time && result.number != number && result.number != 0) failed.store(true);
        (in_time ? taken : late)[thread].push_back(value);
      }
      running.fetch_sub(1);
    });
  }
  while (running.load() != 0) {
    ProcessDeferred();
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  ProcessDeferred();
  CHECK_FALSE(failed.load());
  std::vector<std::vector<uint64_t>> seen(kThreads);
  uint64_t last = 0;
  for (const Seen& one : g_seen) {
    REQUIRE(one.number > last);
    last = one.number;
    REQUIRE(one.intact);
    seen[one.value >> 32].push_back(one.value);
  }
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    std::vector<uint64_t> expected;
    for (uint64_t i = 0, t = 0; i < kCommands; ++i) {
      const uint64_t value = thread << 32 | i;
      if (t < taken[thread].size() && taken[thread][t] == value) {
        ++t;
      } else {
        expected.push_back(value);
      }
    }
    CHECK(seen[thread] == expected);
    CHECK(taken[thread].size() + late[thread].size() == kCommands / 10);
  }
}

TEST_CASE_METHOD(QueueFixture, "no call waits for ever for a thread that is stopped") {
  Queue(1, true, sizeof(TestCommand), kSlowKind);
  const uint64_t number = Queue(2, false);
  std::thread other([] { ProcessDeferred(); });
  while (!g_inside.load()) std::this_thread::yield();
  // All of these give up. The first takes seconds; the next ones know that nothing has happened.
  uint64_t count = 2;
  while (Queue(count + 1, true, DeferredRoom::kMostBytes) != 0) ++count;
  CHECK(queued.load() - processed.load() > kRingBytes - DeferredRoom::kMostBytes);
  ProcessDeferred();
  SettleDeferred();
  ProcessedCommand result;
  CHECK_FALSE(TakeBack(number, &result));
  CHECK(result.number == 0);
  g_leave.store(true);
  other.join();
  ProcessDeferred();
  REQUIRE(g_seen.size() == count);
  for (uint64_t i = 0; i < count; ++i) CHECK(g_seen[i].value == i + 1);
}

// --- gpusan's thread

std::atomic<int> g_started{0};
int StartThread(const char*, void (*run)(void*), void* argument) {
  g_started.fetch_add(1);
  errno = ENOENT;
  std::thread(run, argument).detach();
  return 0;
}
int CountThread(const char*, void (*)(void*), void*) {
  g_started.fetch_add(1);
  return 0;
}
// Waits for the thread, without processing commands on this one.
void WaitUntilProcessed() {
  while (processed.load(std::memory_order_acquire) != queued.load(std::memory_order_acquire))
    usleep(100);
}

std::atomic<uint64_t> g_returned{0};
std::atomic<bool> g_too_early{false};

TEST_CASE_METHOD(QueueFixture, "gpusan's thread processes commands whose calls have returned") {
  constexpr DeferredKind kChecked = {
      [](DeferredCommand& command, const DeferredCommand* before, ProcessedCommand* result) {
        if (command.number > g_returned.load()) g_too_early.store(true);
        return See<false>(command, before, result);
      }};
  const bool child = InChild([&] {
    driver_internal::hooks.start_thread = &StartThread;
    for (uint64_t i = 1; i <= 300; ++i) {
      errno = 0;
      const uint64_t number = Queue(i, false, sizeof(TestCommand), kChecked);
      EXPECT(errno == 0);
      EXPECT(number == i);
      if (i % 10 != 0) continue;
      for (uint64_t one = i - 9; one <= i; ++one) {
        g_returned.store(one);
        DeferredReturned(one);
      }
      if (i % 50 == 0) WaitUntilProcessed();
    }
    WaitUntilProcessed();
    EXPECT(g_started.load() == 1);
    EXPECT(!g_too_early.load());
    EXPECT(g_seen.size() == 300);
    for (uint64_t i = 0; i < 300; ++i) {
      EXPECT(g_seen[i].value == i + 1);
      EXPECT(g_seen[i].caller == ThreadId());
      EXPECT(g_seen[i].thread != ThreadId());
    }
  });
  CHECK(child);
}

TEST_CASE_METHOD(QueueFixture, "gpusan's thread sleeps when nothing is queued, and wakes up") {
  const bool child = InChild([&] {
    driver_internal::hooks.start_thread = &StartThread;
    for (uint64_t round = 1; round <= 2; ++round) {
      Queue(round);
      EXPECT(worker.load() == Worker::kAwake);
      WaitUntilProcessed();
      while (worker.load() != Worker::kAsleep) usleep(1000);
    }
    // It also sleeps when another thread has processed everything.
    Queue(3);
    ProcessDeferred();
    while (worker.load() != Worker::kAsleep) usleep(1000);
    Queue(4);
    WaitUntilProcessed();
    EXPECT(g_started.load() == 1);
    EXPECT((Values() == std::vector<uint64_t>{1, 2, 3, 4}));
    EXPECT(g_seen[3].thread != ThreadId());
  });
  CHECK(child);
}

TEST_CASE_METHOD(QueueFixture, "the queue works without a thread") {
  g_started.store(0);
  driver_internal::hooks.start_thread = &CountThread;
  for (uint64_t i = 0; i < 3; ++i) Queue(i);
  CHECK(g_started.load() == 1);
  CHECK(g_seen.empty());
  ProcessDeferred();
  CHECK(g_seen.size() == 3);
}

// --- fork

TEST_CASE_METHOD(QueueFixture,
                 "a child of fork has a new queue, whatever the parent's threads did") {
  g_started.store(0);
  driver_internal::hooks.start_thread = &CountThread;
  Queue(1, true, sizeof(TestCommand), kSlowKind);
  Queue(2, false);
  StopDeferral();
  std::thread other([] { ProcessDeferred(); });
  while (!g_inside.load()) std::this_thread::yield();
  // The other thread processes a command, and this one is about to queue one.
  bool child = false;
  {
    DeferredRoom room(sizeof(TestCommand));
    child = InChild([&] {
      ForkReset::RunAll();
      EXPECT(queued.load() == 0 && processed.load() == 0);
      EXPECT(worker.load() == Worker::kNone);
      FastCall call = NewCall();
      EXPECT(MayDefer(call));
      EXPECT(Queue(10) == 1);
      EXPECT(g_started.load() == 2);
      const uint64_t number = Queue(11, false);
      ProcessedCommand result;
      EXPECT(TakeBack(number, &result));
      EXPECT((Values() == std::vector<uint64_t>{10}));
      EXPECT(g_seen[0].thread == ThreadId());
    });
  }
  CHECK(child);
  g_leave.store(true);
  other.join();
  ProcessDeferred();
  CHECK(Values() == std::vector<uint64_t>{1, 2});
}

}  // namespace
}  // namespace gpusan::cuda
