// Order that is not settled yet: commands behind events which the host, or another queue, will
// signal later.
//
// A command that waits for an unsignalled user event, or for a semaphore value that nothing
// submitted will reach, may turn out to be ordered behind everything that the signal brings. Pairs
// of accesses that only such a gate leaves unordered are parked here and judged when the gate
// opens; a gate that fails drops them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/model/order_point.h"
#include "tracker/objects/event.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"

namespace gpusan {

// A pair of accesses that waits for its gates.
struct ParkedPair {
  Access earlier, later;
  WeakRef<Resource> resource;  // empty for host memory
  bool host_memory = false;
};

// Thread-safe. Rarely used: one lock. Memory is bounded; what goes beyond hides conflicts and never
// invents one.
class Gates {
 public:
  explicit Gates(const HostClock& host) : host_(host) {}

  // The set of both.
  GateSet Join(GateSet a, GateSet b);
  // `set` with a user event, unless it is signalled by now.
  GateSet JoinEvent(GateSet set, Event* event);
  // `set` with a value that a semaphore has not been given a signal for.
  GateSet JoinValue(GateSet set, Object* semaphore, uint64_t value);

  // What of the set is still closed, 0 when nothing is. Joins to *clock what the opened gates were
  // signalled behind.
  GateSet Settle(GateSet set, Clock* clock);

  // Changes when a gate opens: a set that was settled at a version needs it again only at another
  // one.
  uint32_t version() const { return version_.load(std::memory_order_acquire); }

  // True while an object of the set is not signalled.
  bool Closed(GateSet set);

  enum class Verdict : uint8_t {
    kJudge,   // nothing is open any more: the pair is what it seems
    kDrop,    // ordered by what a gate brought, or behind one that failed
    kParked,  // taken, until its gates open
  };
  Verdict Ask(const ParkedPair& pair);

  // A user event was signalled, or a semaphore will reach `value` once what is in `clock` and
  // behind `gates` is done. Pairs whose gates are now all open and which nothing orders are handed
  // out; with `failed` those behind are dropped.
  std::vector<ParkedPair> Open(const Object* object, uint64_t value, bool failed,
                               const Clock& clock = Clock(), GateSet gates = 0);

 private:
  struct Gate {
    WeakRef<Object> object;
    uint64_t value = 0;  // of a semaphore
    bool operator==(const Gate& other) const {
      return object.object == other.object.object && object.generation == other.object.generation &&
             value == other.value;
    }
  };
  // Forgotten once nothing is closed and nothing is to be learnt from it.
  struct Set {
    std::vector<Gate> closed;
    Clock learnt;         // what signals of opened gates are ordered behind
    bool failed = false;  // a gate of it failed: what is behind it never runs
  };

  GateSet Make(GateSet a, GateSet b, const Gate* gate);
  void Purge();
  Verdict AskLocked(const ParkedPair& pair) const;
  const Set* Find(GateSet set) const;
  bool Forgotten(GateSet set) const { return set != 0 && set < floor_ && sets_.count(set) == 0; }
  static void AddTo(std::vector<Gate>* gates, const Gate& gate);

  const HostClock& host_;
  std::atomic<uint32_t> version_{1};
  SpinLock lock_;
  std::map<GateSet, Set> sets_;
  std::vector<ParkedPair> parked_;
  GateSet next_ = 1;
  GateSet floor_ = 1;  // sets below were dropped to stay bounded: pairs with them are not judged
  static constexpr size_t kMaxParked = 4096;
  static constexpr size_t kMaxSets = 1024;
  static constexpr size_t kMaxMembers = 32;
};

}  // namespace gpusan
