// The command log: what the tracker writes into it, and what becomes of what does not fit.
#include <time.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <iterator>
#include <mutex>
#include <thread>

#include "tests/unit/tracker/tracker_fixture.h"
#include "tracker/objects/command_log.h"

namespace gpusan {
namespace {

constexpr uint64_t kCapacity = 64;

struct LogFixture : test::TrackerFixture {
  LogFixture()
      : TrackerFixture([] {
          TrackerOptions options = test::OptionsWithSites();
          options.command_log = kCapacity;
          return options;
        }()) {}

  std::vector<LogEntry> Take() { return tracker.ordering().command_log()->Take(); }
};

std::vector<LogEntry::Kind> KindsOf(const std::vector<LogEntry>& entries) {
  std::vector<LogEntry::Kind> kinds;
  for (const LogEntry& entry : entries) kinds.push_back(entry.kind);
  return kinds;
}

TEST_CASE("without the option there is no log") {
  test::TrackerFixture fixture;
  CHECK(fixture.tracker.ordering().command_log() == nullptr);
}

TEST_CASE("a command is logged with its queue, position, call and site, and read once") {
  LogFixture fixture;
  Queue* queue = fixture.NewQueue(0x10, true);
  Resource* buffer = fixture.NewBuffer(0x20, 64);
  const Command command = fixture.Transfer(queue, buffer, true, 0, 64, {}, 77);
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand});
  CHECK(entries[0].epoch == command.epoch);
  CHECK(entries[0].queue == 0x10);
  CHECK(entries[0].queue_site == 1);
  CHECK(entries[0].in_order);
  CHECK(entries[0].steps[0] == CommandStep{&test::kWriteCall, 77});
  CHECK_FALSE(entries[0].behind[0].valid());
  CHECK(fixture.Take().empty());
}

TEST_CASE("waits of commands and of the host are logged, except for complete commands") {
  LogFixture fixture;
  Queue* first = fixture.NewQueue(0x10, true);
  Queue* second = fixture.NewQueue(0x11, true);
  Resource* buffer = fixture.NewBuffer(0x20, 64);
  const Command write = fixture.Transfer(first, buffer, true, 0, 64);
  Event* event = fixture.EventOf(0x30, write);
  const Command read = fixture.Transfer(second, buffer, false, 0, 64, {event});
  fixture.tracker.ordering().WaitEvent(*event);
  fixture.tracker.ordering().WaitEvent(*event);
  fixture.tracker.ordering().WaitQueue(*second);
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kCommand,
                                          LogEntry::kHostWait, LogEntry::kHostWait});
  CHECK(entries[1].behind[0] == write.epoch);
  CHECK_FALSE(entries[1].behind[1].valid());
  CHECK(entries[2].behind[0] == write.epoch);
  CHECK(entries[3].behind[0] == read.epoch);
}

TEST_CASE("a wait for many commands is spread over entries") {
  LogFixture fixture;
  Resource* buffer = fixture.NewBuffer(0x20, 64);
  std::vector<Event*> events;
  for (uintptr_t i = 0; i < 5; ++i) {
    Queue* queue = fixture.NewQueue(0x10 + i, true);
    events.push_back(fixture.EventOf(0x30 + i, fixture.Transfer(queue, buffer, false, 0, 8)));
  }
  fixture.Take();
  const Command last = fixture.Transfer(fixture.NewQueue(0x40, true), buffer, false, 0, 8, events);
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kOrder, LogEntry::kOrder});
  std::vector<uint64_t> behind;
  for (const LogEntry& entry : entries) {
    CHECK(entry.epoch == last.epoch);
    for (const Epoch epoch : entry.behind)
      if (epoch.valid()) behind.push_back(epoch.timeline());
  }
  CHECK(behind.size() == 5);
}

TEST_CASE("the order of a queue after a point is logged with its next command") {
  LogFixture fixture;
  Queue* first = fixture.NewQueue(0x10, true);
  Queue* second = fixture.NewQueue(0x11, true);
  Resource* buffer = fixture.NewBuffer(0x20, 64);
  const Command write = fixture.Transfer(first, buffer, true, 0, 64);
  fixture.tracker.ordering().OrderBehind(*second, fixture.tracker.ordering().Snap(*first));
  const Command read = fixture.Transfer(second, buffer, false, 0, 64);
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) ==
          std::vector{LogEntry::kCommand, LogEntry::kOrder, LogEntry::kCommand});
  CHECK(entries[1].epoch == read.epoch);
  CHECK(entries[1].behind[0] == write.epoch);
}

TEST_CASE("an order after a point that the host has waited for is not logged") {
  LogFixture fixture;
  Queue* first = fixture.NewQueue(0x10, true);
  Queue* second = fixture.NewQueue(0x11, true);
  Resource* buffer = fixture.NewBuffer(0x20, 64);
  Ordering& ordering = fixture.tracker.ordering();
  const Command write = fixture.Transfer(first, buffer, true, 0, 64);
  const Snapshot point = ordering.Snap(*first);
  ordering.OrderBehind(*second, point);
  fixture.Transfer(second, buffer, false, 0, 64);
  // As a host function does on another thread. The next command drops the epoch from its queue.
  ordering.WaitSnapshot(point);
  fixture.Transfer(second, buffer, false, 0, 64);
  ordering.OrderBehind(*second, point);
  fixture.Transfer(second, buffer, false, 0, 64);
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kOrder, LogEntry::kCommand,
                                          LogEntry::kHostWait, LogEntry::kCommand,
                                          LogEntry::kCommand});
  CHECK(entries[1].behind[0] == write.epoch);
}

TEST_CASE("a command whose call fails is removed") {
  LogFixture fixture;
  Queue* queue = fixture.NewQueue(0x10, true);
  Command command;
  fixture.In(test::kWriteCall, 5, [&](Call& call) {
    fixture.tracker.ordering().Begin(call, command, queue, {});
    fixture.tracker.accesses().Rollback(command);
  });
  const std::vector<LogEntry> entries = fixture.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kFailed});
  CHECK(entries[1].epoch == command.epoch);
}

TEST_CASE("a full ring overwrites and counts its oldest entries") {
  CommandLog log(kCapacity);
  for (uint64_t tick = 1; tick <= 3 * kCapacity; ++tick) log.HostWait(Epoch(1, tick));
  const std::vector<LogEntry> entries = log.Take();
  REQUIRE(entries.size() == kCapacity);
  CHECK(entries.front().behind[0] == Epoch(1, 2 * kCapacity + 1));
  CHECK(entries.back().behind[0] == Epoch(1, 3 * kCapacity));
  CHECK(log.overwritten() == 2 * kCapacity);
}

TEST_CASE(
    "entries of several threads are taken whole, while they are written, and in order of time") {
  CommandLog log(1 << 14);
  std::vector<std::thread> threads;
  for (TimelineId t = 1; t <= 4; ++t) {
    threads.emplace_back([&log, t] {
      for (uint64_t tick = 1; tick <= 2000; ++tick) {
        Clock clock;
        clock.Join(Epoch(t, tick));
        log.Order(Epoch(t, tick), clock);
      }
    });
  }
  uint64_t seen[5] = {};
  const auto check = [&] {
    int64_t before = 0;
    for (const LogEntry& entry : log.Take()) {
      REQUIRE(entry.behind[0] == entry.epoch);
      REQUIRE(entry.epoch.tick() == ++seen[entry.epoch.timeline()]);
      REQUIRE(entry.time >= before);
      before = entry.time;
    }
  };
  for (int i = 0; i < 20; ++i) check();
  for (std::thread& thread : threads) thread.join();
  check();
  for (int t = 1; t <= 4; ++t) CHECK(seen[t] == 2000);
  CHECK(log.overwritten() == 0);
}

TEST_CASE("times are those of the clock on the wall") {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
  };
  const int64_t begin = now();
  CommandLog log(kCapacity);
  log.HostWait(Epoch(1, 1));
  timespec pause = {0, 5'000'000};
  nanosleep(&pause, nullptr);
  log.HostWait(Epoch(1, 2));
  const std::vector<LogEntry> entries = log.Take();
  const int64_t end = now();
  constexpr int64_t kSlack = 100'000;
  CHECK(entries[0].time >= begin - kSlack);
  CHECK(entries[1].time <= end + kSlack);
  CHECK(entries[1].time - entries[0].time >= 5'000'000 - kSlack);
}

int64_t WallNs() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

constexpr int64_t kBeat = CommandLog::kBeatNs, kNone = 5 * kBeat;  // ns

// An in-order queue whose commands are logged.
struct LoggedQueue : Queue {
  explicit LoggedQueue(CommandLog* to) : log(*to) { lanes.push_back({1, 0}); }
  uint64_t tick() const { return lanes.front().tick; }
  void Command(SiteId site, const CallInfo& call = test::kWriteCall) {
    std::lock_guard guard(lock);
    log.Command(*this, Epoch(1, ++lanes.front().tick), call, site);
  }

  CommandLog& log;
};

// A log in which so many commands came that it has beats.
struct BusyLog {
  explicit BusyLog(uint64_t capacity) : log(capacity), queue(&log) {
    for (int i = 0; i < 2000; ++i) queue.Command(1 + i % 2);
    CHECK(log.Beat() == kBeat);
    log.Take();
    begun = queue.tick();
    overwritten = log.overwritten();
  }
  void Command(SiteId site) { queue.Command(site); }

  CommandLog log;
  LoggedQueue queue;
  uint64_t begun = 0, overwritten = 0;
};

TEST_CASE(
    "beats are given while many commands come, and commands between them get times in between") {
  CommandLog log(1 << 17);
  LoggedQueue queue(&log);
  uint32_t next_site = 0;
  // Commands that cycle share one entry, so each command has another site.
  const auto command = [&] { queue.Command(++next_site); };
  for (int i = 0; i < 1000; ++i) command();
  CHECK(log.Beat() == kNone);
  const int64_t begin = WallNs();
  for (int i = 0; i < 2000; ++i) command();
  CHECK(log.Beat() == kBeat);
  log.Take();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 70; ++i) command();
    log.HostWait(Epoch(1, queue.tick()));
    log.Beat();
  }
  for (int i = 0; i < 5; ++i) command();  // nothing with a time is behind them
  const std::vector<LogEntry> entries = log.Take();
  const int64_t end = WallNs();
  REQUIRE(entries.size() == 3 * 71 + 5);
  constexpr int64_t kSlack = 100'000;
  CHECK(entries.front().time >= begin - kSlack);
  CHECK(entries.back().time <= end + kSlack);
  uint64_t next = 3001;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i != 0) REQUIRE(entries[i].time >= entries[i - 1].time);
    CHECK(entries[i].count == 1);
    if (entries[i].kind == LogEntry::kCommand) REQUIRE(entries[i].epoch == Epoch(1, next++));
    if (entries[i].kind == LogEntry::kHostWait) REQUIRE(entries[i].behind[0] == Epoch(1, next - 1));
  }
  int64_t pause = kBeat;
  for (int i = 0; i < 200 && pause == kBeat; ++i) pause = log.Beat();
  CHECK(pause == kNone);
}

TEST_CASE("a burst of commands requests clock ticks at once") {
  CommandLog log(kCapacity);
  LoggedQueue queue(&log);
  bool asked = false;
  // Where the processor is given to others in the middle of a burst, it is none.
  for (int i = 0; i < 1000 && !asked; ++i) {
    timespec pause = {0, 5'000'000};
    nanosleep(&pause, nullptr);
    log.Beat();
    for (int command = 0; command < 200; ++command) queue.Command(command);
    asked = log.Beat() == kBeat;
  }
  CHECK(asked);
}

TEST_CASE("each of a few commands has an entry of its own") {
  CommandLog log(kCapacity);
  LoggedQueue queue(&log);
  for (int i = 0; i < 50; ++i) queue.Command(7);
  const std::vector<LogEntry> entries = log.Take();
  REQUIRE(entries.size() == 50);
  for (const LogEntry& entry : entries) {
    CHECK(entry.count == 1);
    CHECK(entry.until == entry.time);
  }
}

TEST_CASE(
    "consecutive commands of one call, position and queue share an entry when commands are "
    "frequent") {
  BusyLog busy(kCapacity);
  const int64_t begin = WallNs();
  for (int i = 0; i < 100; ++i) busy.Command(5);
  for (int i = 0; i < 30; ++i) busy.Command(6);
  busy.log.HostWait(Epoch(1, busy.queue.tick()));
  for (int i = 0; i < 20; ++i) busy.Command(6);
  busy.log.Beat();
  for (int i = 0; i < 7; ++i) busy.Command(6);
  const std::vector<LogEntry> entries = busy.log.Take();
  const int64_t end = WallNs();
  constexpr int64_t kSlack = 100'000;
  REQUIRE(entries.size() == 5);
  const uint64_t counts[] = {100, 30, 1, 20, 7};
  const uint64_t ticks[] = {1, 101, 0, 131, 151};
  for (size_t i = 0; i < entries.size(); ++i) {
    CHECK(entries[i].count == counts[i]);
    CHECK(entries[i].until >= entries[i].time);
    CHECK(entries[i].until - entries[i].time <= kBeat + kSlack);
    CHECK(entries[i].time >= begin - kSlack);
    CHECK(entries[i].until <= end + kSlack);
    if (ticks[i] == 0) continue;
    CHECK(entries[i].epoch == Epoch(1, busy.begun + ticks[i]));
    CHECK(entries[i].cycle == 1);
    CHECK(entries[i].steps[0].site == (i == 0 ? 5 : 6));
  }
  CHECK(busy.log.overwritten() == busy.overwritten);
}

TEST_CASE("up to four alternating positions also share an entry") {
  for (uint32_t cycle = 2; cycle <= 4; ++cycle) {
    BusyLog busy(kCapacity);
    for (uint32_t i = 0; i < 100 * cycle; ++i)
      busy.queue.Command(5 + i % cycle, i % cycle == 1 ? test::kReadCall : test::kWriteCall);
    // A beat ends the run, and the next one goes on where it was.
    busy.log.Beat();
    for (uint32_t i = 0; i < 50 * cycle + 1; ++i)
      busy.queue.Command(5 + i % cycle, i % cycle == 1 ? test::kReadCall : test::kWriteCall);
    const std::vector<LogEntry> entries = busy.log.Take();
    // A cycle is recognized from its second iteration on.
    REQUIRE(entries.size() == cycle + 2);
    for (uint32_t i = 0; i < cycle; ++i) {
      CHECK(entries[i].count == 1);
      CHECK(entries[i].steps[0].site == 5 + i);
    }
    for (const LogEntry& entry : {entries[cycle], entries[cycle + 1]}) {
      REQUIRE(entry.cycle == cycle);
      for (uint32_t i = 0; i < cycle; ++i) {
        CHECK(entry.steps[i].site == 5 + i);
        CHECK(entry.steps[i].call == (i == 1 ? &test::kReadCall : &test::kWriteCall));
      }
    }
    CHECK(entries[cycle].count == 99 * cycle);
    CHECK(entries[cycle + 1].count == 50 * cycle + 1);
    CHECK(busy.log.overwritten() == busy.overwritten);
  }
}

TEST_CASE("a pattern after other positions is recognized one position later") {
  BusyLog busy(kCapacity);
  for (SiteId site = 20; site < 30; ++site) busy.Command(site);
  for (SiteId i = 0; i < 300; ++i) busy.Command(5 + i % 3);
  const std::vector<LogEntry> entries = busy.log.Take();
  REQUIRE(entries.size() == 10 + 4 + 1);
  CHECK(entries.back().cycle == 3);
  CHECK(entries.back().count == 296);
  for (SiteId i = 0; i < 3; ++i) CHECK(entries.back().steps[i].site == 5 + (i + 1) % 3);
}

TEST_CASE("one different command among many equal ones is not a pattern and has an entry") {
  BusyLog busy(kCapacity);
  for (int i = 0; i < 600; ++i) busy.Command(i % 200 == 0 ? 6 : 5);
  const std::vector<LogEntry> entries = busy.log.Take();
  REQUIRE(entries.size() == 6);
  for (size_t i = 0; i < entries.size(); ++i) {
    CHECK(entries[i].count == (i % 2 == 0 ? 1 : 199));
    CHECK(entries[i].cycle == 1);
    CHECK(entries[i].steps[0].site == (i % 2 == 0 ? 6 : 5));
  }
}

TEST_CASE(
    "a cycle with one step twice is recognized, too, and commands without a cycle have their "
    "entries") {
  BusyLog busy(kCapacity);
  for (int i = 0; i < 300; ++i) busy.Command(i % 3 == 2 ? 6 : 5);
  std::vector<LogEntry> entries = busy.log.Take();
  CHECK(entries.size() < 8);
  CHECK(entries.back().cycle == 3);
  CHECK(entries.back().count > 280);
  const SiteId sites[] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 1, 1, 2, 1};
  for (SiteId site : sites) busy.Command(site);
  entries = busy.log.Take();
  std::vector<SiteId> seen;
  for (const LogEntry& entry : entries) {
    for (uint64_t i = 0; i < entry.count; ++i) seen.push_back(entry.steps[i % entry.cycle].site);
  }
  CHECK(seen == std::vector<SiteId>(std::begin(sites), std::end(sites)));
}

TEST_CASE("repeated waits of the host belong to the run") {
  BusyLog busy(kCapacity);
  const auto wait = [&] { busy.log.HostWait(Epoch(1, busy.queue.tick())); };
  for (int i = 0; i < 100; ++i) {
    busy.Command(5);
    wait();
  }
  std::vector<LogEntry> entries = busy.log.Take();
  // The first two waits tell what is to be expected, and the last one is told by itself.
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kHostWait,
                                          LogEntry::kCommand, LogEntry::kHostWait,
                                          LogEntry::kCommand, LogEntry::kHostWait});
  CHECK(entries[1].behind[0] == entries[0].epoch);
  CHECK(entries[3].behind[0] == entries[2].epoch);
  CHECK(entries[2].waits == 0);
  CHECK(entries[4].count == 98);
  CHECK(entries[4].waits == 1);
  CHECK(entries[5].behind[0] == Epoch(1, busy.begun + 100));
  CHECK(entries[5].time >= entries[4].time);
  CHECK(entries[5].time <= entries[4].until);
  // A beat, and then one that is not waited for.
  for (int i = 0; i < 10; ++i) {
    busy.Command(5);
    wait();
  }
  busy.log.Beat();
  for (int i = 0; i < 10; ++i) {
    if (i != 0) wait();
    busy.Command(5);
  }
  busy.Command(5);
  entries = busy.log.Take();
  REQUIRE(KindsOf(entries) == std::vector{LogEntry::kCommand, LogEntry::kHostWait,
                                          LogEntry::kCommand, LogEntry::kCommand});
  CHECK(entries[0].count == 10);
  CHECK(entries[1].behind[0] == Epoch(1, busy.begun + 110));
  CHECK(entries[2].count == 10);
  CHECK(entries[2].waits == 1);
  CHECK(entries[3].epoch == Epoch(1, busy.begun + 121));
  CHECK(busy.log.overwritten() == busy.overwritten);
}

TEST_CASE("a wait after one of several alternating positions also belongs to the run") {
  BusyLog busy(kCapacity);
  for (int i = 0; i < 300; ++i) {
    busy.Command(static_cast<SiteId>(5 + i % 3));
    if (i % 3 == 1) busy.log.HostWait(Epoch(1, busy.queue.tick()));
  }
  const std::vector<LogEntry> entries = busy.log.Take();
  CHECK(entries.size() < 12);
  const LogEntry& run = entries.back();
  CHECK(run.count > 280);
  REQUIRE(run.cycle == 3);
  for (uint32_t i = 0; i < 3; ++i) CHECK((run.waits >> i & 1) == (run.steps[i].site == 6 ? 1 : 0));
}

TEST_CASE("a wait after many commands ends their run, and a new run follows") {
  BusyLog busy(kCapacity);
  for (int batch = 0; batch < 5; ++batch) {
    for (int i = 0; i < 200; ++i) busy.Command(5);
    // Of one in the middle, and of the last.
    busy.log.HostWait(Epoch(1, busy.queue.tick() - 100));
    busy.log.HostWait(Epoch(1, busy.queue.tick()));
  }
  const std::vector<LogEntry> entries = busy.log.Take();
  REQUIRE(entries.size() == 15);
  for (size_t i = 0; i < entries.size(); i += 3) {
    CHECK(entries[i].count == 200);
    CHECK(entries[i].waits == 0);
    CHECK(entries[i + 1].behind[0].tick() + 100 == entries[i + 2].behind[0].tick());
  }
}

TEST_CASE("waits of another thread are logged, or follow from later ones") {
  BusyLog busy(1 << 12);
  constexpr uint64_t kCommands = 200000;
  std::atomic<uint64_t> last{0};
  std::thread waiter([&] {
    for (uint64_t tick = 0; tick != busy.begun + kCommands;) {
      const uint64_t now = last.load();
      if (now == tick) continue;
      tick = now;
      busy.log.HostWait(Epoch(1, tick));
    }
  });
  uint64_t waited = 0, taken = 0, next = 0;
  const auto take = [&] {
    for (const LogEntry& entry : busy.log.Take()) {
      if (entry.kind == LogEntry::kHostWait) {
        waited = std::max(waited, entry.behind[0].tick());
      } else {
        REQUIRE(entry.epoch.tick() > next);
        next = entry.epoch.tick() + entry.count - 1;
        taken += entry.count;
      }
    }
  };
  for (uint64_t i = 0; i < kCommands; ++i) {
    busy.Command(static_cast<SiteId>(5 + i / 1000 % 2));
    last = busy.queue.tick();
    if (i % 7 == 0) std::this_thread::yield();
    if (i % 5000 == 0) take();
  }
  waiter.join();
  take();
  take();
  CHECK(waited == busy.begun + kCommands);
  CHECK(taken + busy.log.overwritten() - busy.overwritten >= kCommands);
}

TEST_CASE("a run that continues while it is read is read in parts, and each command once") {
  BusyLog busy(kCapacity);
  const auto taken = [&] {
    std::vector<std::pair<uint64_t, uint64_t>> parts;
    for (const LogEntry& entry : busy.log.Take())
      parts.emplace_back(entry.epoch.tick() - busy.begun, entry.count);
    return parts;
  };
  using Parts = std::vector<std::pair<uint64_t, uint64_t>>;
  for (int i = 0; i < 10; ++i) busy.Command(5);
  CHECK(taken() == Parts{{1, 10}});
  CHECK(taken().empty());
  for (int i = 0; i < 5; ++i) busy.Command(5);
  CHECK(taken() == Parts{{11, 5}});
  busy.Command(6);
  CHECK(taken() == Parts{{16, 1}});
  busy.log.Beat();
  busy.Command(6);
  CHECK(taken() == Parts{{17, 1}});
}

TEST_CASE(
    "the run of a released queue is read, and a new queue in its storage has a run of its own") {
  BusyLog busy(kCapacity);
  for (int i = 0; i < 10; ++i) busy.Command(5);
  busy.log.Forget(busy.queue);
  busy.queue.lanes = {{2, 0}};
  for (uint64_t i = 1; i <= 3; ++i) {
    std::lock_guard guard(busy.queue.lock);
    busy.log.Command(busy.queue, Epoch(2, ++busy.queue.lanes.front().tick), test::kWriteCall, 5);
  }
  const std::vector<LogEntry> entries = busy.log.Take();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].epoch == Epoch(1, busy.begun + 1));
  CHECK(entries[0].count == 10);
  CHECK(entries[1].epoch == Epoch(2, 1));
  CHECK(entries[1].count == 3);
  CHECK(busy.log.overwritten() == busy.overwritten);
}

TEST_CASE("commands of runs that are overwritten are counted one by one") {
  BusyLog busy(kCapacity);
  for (int i = 0; i < 10; ++i) busy.Command(5);
  busy.log.Take();
  for (int i = 0; i < 10; ++i) busy.Command(5);
  uint32_t site = 6;
  for (uint64_t run = 0; run < 2 * kCapacity; ++run, ++site) {
    for (int i = 0; i < 3; ++i) busy.Command(site);
  }
  const std::vector<LogEntry> entries = busy.log.Take();
  REQUIRE(entries.size() == kCapacity);
  for (const LogEntry& entry : entries) CHECK(entry.count == 3);
  CHECK(busy.log.overwritten() - busy.overwritten == 10 + 3 * kCapacity);
}

TEST_CASE("lost entries of cycles are counted, whichever part of an entry is overwritten") {
  BusyLog busy(kCapacity);
  uint64_t commands = 0;
  for (uint32_t round = 0; round < 3 * kCapacity; ++round) {
    for (int i = 0; i < 7 + static_cast<int>(round % 3); ++i, ++commands)
      busy.Command(100 * round + i % 2);
  }
  uint64_t taken = 0;
  for (const LogEntry& entry : busy.log.Take()) {
    taken += entry.count;
    for (uint32_t i = 0; i < entry.cycle; ++i) CHECK(entry.steps[i].call == &test::kWriteCall);
  }
  CHECK(taken > 0);
  CHECK(busy.log.overwritten() - busy.overwritten == commands - taken);
}

TEST_CASE("runs are read while they are written, and each command is read exactly once") {
  BusyLog busy(1 << 12);
  constexpr uint64_t kCommands = 300000;
  std::atomic<bool> done{false};
  const auto write = [&] {
    for (uint64_t i = 0; i < kCommands / 2; ++i)
      busy.Command(static_cast<SiteId>(5 + (i / 50 % 2 != 0 ? i % 3 : 9)));
  };
  std::thread writer(write), another(write);
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  const auto take = [&] {
    for (const LogEntry& entry : busy.log.Take())
      taken.emplace_back(entry.epoch.tick(), entry.count);
  };
  std::thread taker([&] {
    while (!done) take();
  });
  writer.join();
  another.join();
  done = true;
  taker.join();
  take();
  take();  // what was left for the next time
  std::sort(taken.begin(), taken.end());
  uint64_t last = busy.begun, sum = 0;
  for (const auto& [tick, count] : taken) {
    REQUIRE(tick > last);
    last = tick + count - 1;
    sum += count;
  }
  CHECK(last == busy.begun + kCommands);
  CHECK(sum + busy.log.overwritten() - busy.overwritten == kCommands);
}

TEST_CASE("commands that two threads alternately enqueue keep the order of the queue") {
  CommandLog log(1 << 12);
  LoggedQueue queue(&log);
  const auto command = [&] { queue.Command(7); };
  const auto other = [&] { queue.Command(8); };
  for (int i = 0; i < 2000; ++i) command();
  log.Beat();
  log.Take();
  for (int i = 0; i < 3; ++i) {
    command();
    std::thread(other).join();
    std::thread(command).join();
    other();
  }
  timespec pause = {0, 2'000'000};
  nanosleep(&pause, nullptr);
  log.HostWait(Epoch(1, queue.tick()));
  const std::vector<LogEntry> entries = log.Take();
  uint64_t next = 2001;
  for (size_t i = 0; i + 1 < entries.size(); ++i) {
    CHECK(entries[i].epoch == Epoch(1, next));
    CHECK(entries[i].time <= entries[i + 1].time);
    next += entries[i].count;
  }
  CHECK(next == 2013);
}

TEST_CASE("entries that are overwritten during a read are counted, and no others are missing") {
  CommandLog log(kCapacity);
  constexpr uint64_t kEntries = 200000;
  std::thread writer([&] {
    for (uint64_t tick = 1; tick <= kEntries; ++tick) {
      Clock clock;
      clock.Join(Epoch(1, tick));
      log.Order(Epoch(1, tick), clock);
    }
  });
  uint64_t last = 0, taken = 0;
  const auto take = [&] {
    for (const LogEntry& entry : log.Take()) {
      REQUIRE(entry.behind[0] == entry.epoch);
      REQUIRE(entry.epoch.tick() > last);
      last = entry.epoch.tick();
      ++taken;
    }
  };
  while (last < kEntries / 2) take();
  writer.join();
  take();
  CHECK(last == kEntries);
  CHECK(taken + log.overwritten() == kEntries);
}

}  // namespace
}  // namespace gpusan
