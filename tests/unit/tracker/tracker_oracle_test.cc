// Random programs of queues, events, barriers, gates and waits, checked by the tracker and by a
// full graph of what happens before what. The tracker may stay silent (it forgets what newer
// accesses stand for); it may never invent a race.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

// Nodes are commands and acts of the host, by site; edges lead to what comes later. Transitive by
// construction: each node knows everything before it, except what a gate's signal brings later.
class Oracle {
 public:
  void Edge(size_t from, size_t to) { edges_[to].insert(from); }
  bool Before(size_t a, size_t b) const {
    std::vector<size_t> open = {b};
    std::set<size_t> seen;
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      const auto found = edges_.find(at);
      if (found == edges_.end()) continue;
      for (size_t from : found->second) {
        if (from == a) return true;
        if (seen.insert(from).second) open.push_back(from);
      }
    }
    return false;
  }

 private:
  std::map<size_t, std::set<size_t>> edges_;
};

struct Done {
  size_t node;
  size_t buffer;
  uint64_t offset, bytes;
  bool write;
};

TEST_CASE("no race is reported between commands that are ordered, in random programs") {
  size_t races = 0, reported = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    TrackerFixture fixture;
    Tracker& tracker = fixture.tracker;
    Oracle oracle;
    struct QueueOf {
      Queue* queue;
      bool in_order;
      std::vector<size_t> commands;
      size_t barrier = 0;
    };
    std::vector<QueueOf> queues;
    for (uintptr_t i = 0; i < 4; ++i)
      queues.push_back({fixture.NewQueue(0x10 + i * 8, i % 2 == 0), i % 2 == 0, {}, 0});
    std::vector<Resource*> buffers;
    for (uintptr_t i = 0; i < 2; ++i) buffers.push_back(fixture.NewBuffer(0x100 + i * 8, 64));
    struct EventAt {
      Event* event;
      size_t node;
      bool user, signaled;
    };
    std::vector<EventAt> events;
    std::vector<Done> done;
    size_t host = 1;  // the last act of the host
    size_t node = 10;
    uintptr_t handle = 0x10000;
    std::vector<Finding> findings;
    for (int step = 0; step < 60; ++step) {
      const size_t at = ++node;
      QueueOf& queue = queues[random() % queues.size()];
      switch (random() % 10) {
        case 0: {  // the host waits for a queue, if nothing in it can be behind a closed gate
          bool open = true;
          for (const EventAt& event : events) open = open && (!event.user || event.signaled);
          if (!open) break;
          fixture.In(kWaitCall, static_cast<SiteId>(at),
                     [&](Call&) { tracker.ordering().WaitQueue(*queue.queue); });
          for (size_t command : queue.commands) oracle.Edge(command, at);
          oracle.Edge(host, at);
          host = at;
          break;
        }
        case 1: {  // the host waits for an event
          if (events.empty()) break;
          bool open = true;
          for (const EventAt& event : events) open = open && (!event.user || event.signaled);
          const EventAt& event = events[random() % events.size()];
          if (!open || event.user) break;
          fixture.In(kWaitCall, static_cast<SiteId>(at),
                     [&](Call&) { tracker.ordering().WaitEvent(*event.event); });
          oracle.Edge(event.node, at);
          oracle.Edge(host, at);
          host = at;
          break;
        }
        case 2: {  // a user event, or its signal
          EventAt* closed = nullptr;
          for (EventAt& event : events) {
            if (event.user && !event.signaled) closed = &event;
          }
          if (closed == nullptr) {
            events.push_back({fixture.NewUserEvent(handle += 8), at, true, false});
          } else {
            oracle.Edge(host, closed->node);  // everything the host knew comes before the signal
            closed->signaled = true;
            fixture.Signal(closed->event, 0, static_cast<SiteId>(at));
          }
          break;
        }
        case 3: {  // a barrier
          const Command command = fixture.In(kWaitCall, static_cast<SiteId>(at), [&](Call& call) {
            Command begun;
            tracker.ordering().Begin(call, begun, queue.queue, {}, true, true);
            return begun;
          });
          oracle.Edge(host, at);
          for (size_t earlier : queue.commands) oracle.Edge(earlier, at);
          queue.commands.push_back(at);
          queue.barrier = at;
          events.push_back({fixture.EventOf(handle += 8, command), at, false, true});
          break;
        }
        default: {
          std::vector<Event*> waits;
          for (const EventAt& event : events) {
            if (random() % (events.size() + 1) > 1) continue;
            waits.push_back(event.event);
            oracle.Edge(event.node, at);
          }
          const size_t buffer = random() % buffers.size();
          const uint64_t offset = random() % 4 * 16,
                         bytes = (random() % 2 + 1) * 16 > 64 - offset ? 16 : 32;
          const bool write = random() % 2 == 0;
          oracle.Edge(host, at);
          if (queue.in_order && !queue.commands.empty()) oracle.Edge(queue.commands.back(), at);
          if (queue.barrier != 0) oracle.Edge(queue.barrier, at);
          queue.commands.push_back(at);
          const Command command = fixture.Transfer(queue.queue, buffers[buffer], write, offset,
                                                   std::min<uint64_t>(bytes, 64 - offset), waits,
                                                   static_cast<SiteId>(at));
          events.push_back({fixture.EventOf(handle += 8, command), at, false, true});
          done.push_back({at, buffer, offset, std::min<uint64_t>(bytes, 64 - offset), write});
          break;
        }
      }
      for (Finding& finding : fixture.sink.Take()) findings.push_back(std::move(finding));
    }
    // Gates that stay closed order nothing, and their pairs stay parked.
    auto by_node = [&](size_t wanted) -> const Done* {
      for (const Done& command : done) {
        if (command.node == wanted) return &command;
      }
      return nullptr;
    };
    for (const Finding& finding : findings) {
      if (finding.rule != RuleId::kRace) continue;
      ++reported;
      const Done* later = by_node(finding.site);
      const Done* earlier = by_node(finding.parties.at(0).site);
      INFO("seed " << seed << ": " << finding.parties.at(0).site << " and " << finding.site);
      REQUIRE(later != nullptr);
      REQUIRE(earlier != nullptr);
      REQUIRE(later->buffer == earlier->buffer);
      REQUIRE((later->write || earlier->write));
      REQUIRE(later->offset < earlier->offset + earlier->bytes);
      REQUIRE(earlier->offset < later->offset + later->bytes);
      REQUIRE_FALSE(oracle.Before(earlier->node, later->node));
      REQUIRE_FALSE(oracle.Before(later->node, earlier->node));
    }
    for (const Done& a : done) {
      for (const Done& b : done) {
        if (a.node < b.node && a.buffer == b.buffer && (a.write || b.write) &&
            a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes &&
            !oracle.Before(a.node, b.node) && !oracle.Before(b.node, a.node)) {
          ++races;
        }
      }
    }
  }
  CHECK(races > 1000);
  CHECK(reported > races / 3);  // the rest is stood for by newer accesses, or parked
}

}  // namespace
}  // namespace gpusan::test
