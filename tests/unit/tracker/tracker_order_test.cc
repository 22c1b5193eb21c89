// Epochs, clocks, access histories and gates: who is ordered before whom.
#include <catch2/catch.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "tracker/model/clock.h"
#include "tracker/objects/pending_signals.h"
#include "tracker/order/access.h"
#include "tracker/order/flag_order.h"

namespace gpusan {
namespace {

Access MakeAccess(Epoch epoch, Region region, bool write, Sureness sureness = Sureness::kCertain) {
  Access access;
  access.region = region;
  access.epoch = epoch;
  access.write = write;
  access.read = !write;
  access.sureness = sureness;
  return access;
}

int Conflicts(AccessHistory& history, const Access& access, const Clock& before,
              const HostClock& host) {
  int count = 0;
  history.Record(access, before, host, false, [&](const Access&) { ++count; });
  return count;
}

int AddTo(AccessHistory& history, const Access& access, const Clock& before,
          const HostClock& host) {
  return history.Record(access, before, host, true, [](const Access&) {});
}

TEST_CASE("a flag may order commands before it and commands after a kernel that waits") {
  constexpr TimelineId kWriter = 1, kWaiter = 2, kOther = 3;
  FlagOrder flags;
  auto host = std::make_unique<HostClock>();
  const auto ordered = [&](Epoch earlier, Epoch later) {
    return flags.MayOrder(earlier, later, *host);
  };
  flags.NoteWrite(Epoch(kWriter, 5));
  CHECK_FALSE(ordered(Epoch(kWriter, 4), Epoch(kOther, 1)));  // no kernel waits
  flags.NoteWait(Epoch(kWaiter, 3), *host);
  CHECK(ordered(Epoch(kWriter, 4), Epoch(kOther, 1)));
  CHECK_FALSE(ordered(Epoch(kWriter, 6), Epoch(kOther, 1)));
  CHECK(ordered(Epoch(kWriter, 6), Epoch(kWaiter, 3)));
  CHECK(ordered(Epoch(kWaiter, 4), Epoch(kOther, 1)));
  CHECK_FALSE(ordered(Epoch(kWaiter, 2), Epoch(kOther, 1)));
  // The kernel is complete, and so can wait for nothing that is enqueued now.
  host->Join(Epoch(kWaiter, 3));
  CHECK_FALSE(ordered(Epoch(kWaiter, 4), Epoch(kOther, 1)));
  CHECK(ordered(Epoch(kWriter, 4), Epoch(kOther, 1)));
  flags.NoteWait(Epoch(kWaiter, 7), *host);
  CHECK_FALSE(ordered(Epoch(kWaiter, 6), Epoch(kOther, 1)));
  CHECK(ordered(Epoch(kOther, 1), Epoch(kWaiter, 8)));
}

TEST_CASE("an epoch keeps timeline and tick apart") {
  const Epoch epoch(kMaxTimelines - 1, (uint64_t{1} << 48) - 1);
  CHECK(epoch.timeline() == kMaxTimelines - 1);
  CHECK(epoch.tick() == (uint64_t{1} << 48) - 1);
  CHECK_FALSE(Epoch().valid());
}

TEST_CASE("the host's clock only grows") {
  static HostClock host;
  CHECK_FALSE(host.Completed(Epoch(3, 1)));
  host.Join(Epoch(3, 5));
  host.Join(Epoch(3, 4));
  CHECK(host.Completed(Epoch(3, 5)));
  CHECK_FALSE(host.Completed(Epoch(3, 6)));
  CHECK_FALSE(host.Completed(Epoch(4, 1)));
}

TEST_CASE("threads that join the host's clock at once leave the latest tick of each timeline") {
  static HostClock host;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (uint64_t tick = 1; tick <= 2000; ++tick)
        host.Join(Epoch(static_cast<TimelineId>(tick % 3), tick * 4 + t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (TimelineId timeline = 0; timeline < 3; ++timeline) {
    uint64_t last = 0;
    for (uint64_t tick = 1; tick <= 2000; ++tick) {
      if (tick % 3 == timeline) last = tick * 4 + 3;
    }
    CHECK(host.Completed(Epoch(timeline, last)));
    CHECK_FALSE(host.Completed(Epoch(timeline, last + 1)));
  }
}

TEST_CASE("a clock covers a joined epoch and all earlier epochs of its timeline") {
  static HostClock host;
  Clock clock;
  clock.Join(Epoch(1, 5));
  clock.Join(Epoch(2, 7));
  clock.Join(Epoch(1, 3));
  CHECK(clock.Covers(Epoch(1, 5)));
  CHECK(clock.Covers(Epoch(1, 1)));
  CHECK_FALSE(clock.Covers(Epoch(1, 6)));
  CHECK_FALSE(clock.Covers(Epoch(3, 1)));
  host.Join(Epoch(1, 5));
  clock.Prune(host);
  CHECK(clock.epochs().size() == 1);
  CHECK(clock.Covers(Epoch(2, 7)));
}

TEST_CASE(
    "a history finds conflicts only between unordered accesses that overlap, one of them a write") {
  static HostClock host;
  AccessHistory history;
  const Clock none;
  AddTo(history, MakeAccess(Epoch(1, 1), Region::Linear(0, 64), true), none, host);
  CHECK(Conflicts(history, MakeAccess(Epoch(2, 1), Region::Linear(32, 64), false), none, host) ==
        1);
  CHECK(Conflicts(history, MakeAccess(Epoch(2, 1), Region::Linear(64, 64), true), none, host) == 0);
  CHECK(Conflicts(history, MakeAccess(Epoch(1, 2), Region::Linear(0, 64), true), none, host) == 0);
  Clock after;
  after.Join(Epoch(1, 1));
  CHECK(Conflicts(history, MakeAccess(Epoch(2, 1), Region::Linear(0, 64), true), after, host) == 0);
  AddTo(history, MakeAccess(Epoch(2, 1), Region::Linear(0, 64), false), after, host);
  CHECK(Conflicts(history, MakeAccess(Epoch(3, 1), Region::Linear(0, 64), false), none, host) == 1);
  CHECK(Conflicts(history, MakeAccess(Epoch(3, 1), Region::Linear(0, 64), true), none, host) == 2);
  host.Join(Epoch(1, 1));
  CHECK(Conflicts(history, MakeAccess(Epoch(3, 1), Region::Linear(0, 64), true), none, host) == 1);
}

TEST_CASE(
    "a new access stands for what it covers, is ordered behind and knows at least as surely") {
  static HostClock host;
  const Clock none;
  AccessHistory history;
  AddTo(history, MakeAccess(Epoch(1, 1), Region::Linear(0, 64), true), none, host);
  SECTION("a covering write of the same timeline replaces it") {
    AddTo(history, MakeAccess(Epoch(1, 2), Region::Linear(0, 128), true), none, host);
    CHECK(history.size() == 1);
    CHECK(history.begin()->epoch == Epoch(1, 2));
  }
  SECTION("a read does not stand for a write") {
    AddTo(history, MakeAccess(Epoch(1, 2), Region::Linear(0, 128), false), none, host);
    CHECK(history.size() == 2);
  }
  SECTION("an unordered write does not stand for it") {
    AddTo(history, MakeAccess(Epoch(2, 1), Region::Linear(0, 64), true), none, host);
    CHECK(history.size() == 2);
  }
  SECTION("a part does not stand for the whole") {
    AddTo(history, MakeAccess(Epoch(1, 2), Region::Linear(0, 63), true), none, host);
    CHECK(history.size() == 2);
  }
  SECTION("a possible write does not stand for a certain one") {
    AddTo(history, MakeAccess(Epoch(1, 2), Region::Linear(0, 64), true, Sureness::kPossible), none,
          host);
    CHECK(history.size() == 2);
  }
  SECTION("what is complete goes") {
    host.Join(Epoch(1, 1));
    AddTo(history, MakeAccess(Epoch(2, 1), Region::Linear(500, 1), false), none, host);
    CHECK(history.size() == 1);
    CHECK(history.begin()->epoch == Epoch(2, 1));
  }
}

TEST_CASE(
    "one hold for each timeline represents all holds of a resource, and conflicts with nothing") {
  static HostClock host;
  const Clock none;
  AccessHistory history;
  static const CallInfo* const kNoCall = nullptr;
  const auto hold = [&](Epoch epoch, SiteId site) {
    AccessOrigin origin;
    origin.epoch = epoch;
    origin.call = kNoCall;
    origin.site = site;
    return history.Hold(4096, origin, host);
  };
  AddTo(history, MakeAccess(Epoch(1, 1), Region::Linear(0, 64), true), none, host);
  CHECK(hold(Epoch(1, 2), 7) == 0);
  CHECK(hold(Epoch(2, 1), 8) == 0);
  CHECK(history.size() == 3);
  CHECK(hold(Epoch(1, 3), 9) == 0);
  CHECK(hold(Epoch(2, 2), 10) == 0);
  CHECK(history.size() == 3);
  int holds = 0;
  for (const Access& access : history) {
    if (access.sureness != Sureness::kHeld) continue;
    ++holds;
    CHECK(access.epoch.tick() == (access.epoch.timeline() == 1 ? 3 : 2));
    CHECK(access.site == (access.epoch.timeline() == 1 ? 9u : 10u));
    CHECK(access.region == Region::Linear(0, 4096));
  }
  CHECK(holds == 2);
  // The write of 64 bytes is still there, and what waits for it alone is not behind the holds.
  CHECK(Conflicts(history, MakeAccess(Epoch(3, 1), Region::Linear(0, 64), false), none, host) == 3);
  host.Join(Epoch(1, 3));
  CHECK(history.FindPending(Region::Linear(0, UINT64_MAX), false, host)->epoch == Epoch(2, 2));
  history.Remove(Epoch(2, 2));
  CHECK(history.FindPending(Region::Linear(0, UINT64_MAX), false, host) == nullptr);
  // In a full history the oldest makes room.
  int dropped = 0;
  for (uint16_t i = 10; i < 10 + AccessHistory::kMaxAccesses + 8; ++i)
    dropped += hold(Epoch(i, 1), 1);
  CHECK(history.size() == AccessHistory::kMaxAccesses);
  CHECK(dropped == 8);
}

TEST_CASE("a history is bounded, drops its oldest entries and counts them") {
  static HostClock host;
  const Clock none;
  AccessHistory history;
  int dropped = 0;
  for (uint16_t i = 1; i <= AccessHistory::kMaxAccesses + 8; ++i) {
    dropped +=
        AddTo(history, MakeAccess(Epoch(i, 1), Region::Linear(i * 64u, 64), true), none, host);
  }
  CHECK(history.size() == AccessHistory::kMaxAccesses);
  CHECK(dropped == 8);
  CHECK(history.FindPending(Region::Linear(64 * 8, 64), true, host) == nullptr);
  CHECK(history.FindPending(Region::Linear(64 * 9, 64), true, host) != nullptr);
  history.Remove(Epoch(9, 1));
  CHECK(history.FindPending(Region::Linear(64 * 9, 64), true, host) == nullptr);
  for (uint16_t i = 1; i <= AccessHistory::kMaxAccesses; ++i) host.Join(Epoch(i, 1));
  history.Prune(host);
  CHECK(history.size() == 8);
  history.Clear();
  CHECK(history.empty());
}

}  // namespace
}  // namespace gpusan
