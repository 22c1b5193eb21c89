// Gates: signals that the host or another queue has not submitted yet, and the pairs of accesses
// that wait for them.
//
// A command may wait for an unsignalled user event, or for a semaphore value that no submission
// reaches. The later signal may order the command after everything that happens before the signal.
// So a pair of accesses that only a gate leaves unordered is parked here and checked when the gate
// opens. If the gate fails, the pair is dropped.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/model/order_point.h"
#include "tracker/objects/event.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"

namespace gpusan {

// A pair of accesses with unopened gates.
struct ParkedPair {
  Access earlier, later;
  WeakRef<Resource> resource;  // empty for host memory
  bool host_memory = false;
};

// All gates of a tracker. One lock is enough, because programs rarely use gates. Memory is bounded:
// beyond the limits conflicts are missed, but no false positive is reported. Thread-safe.
class Gates {
 public:
  explicit Gates(const HostClock& host) : host_(host) {}

  // Returns the union of both sets.
  GateSet Join(GateSet a, GateSet b);
  // Returns `set` plus the user event. Returns `set` if the event is already signalled.
  GateSet JoinEvent(GateSet set, Event* event);
  // Returns `set` plus a value of a semaphore. Requires: no submitted signal reaches the value.
  GateSet JoinValue(GateSet set, Object* semaphore, uint64_t value);

  // Joins the clocks of the signals that opened gates of the set to *clock. Returns 0 if all gates
  // of the set are open and none failed, otherwise `set`.
  GateSet Settle(GateSet set, Clock* clock);

  // Changes when a gate opens. The result of Settle() is valid as long as the version is the same.
  uint32_t version() const { return version_.load(std::memory_order_acquire); }

  // Returns a user event of the set that is not set; nullptr: none.
  const Event* UnsetEvent(GateSet set);

  // True while at least one gate of the set is not signalled.
  bool Closed(GateSet set);

  enum class Verdict : uint8_t {
    kConflict,  // all gates are open and order nothing: the pair is a conflict
    kDrop,      // the signal of a gate orders the pair, or a gate failed
    kParked,    // the pair is stored until its gates open
  };
  // Returns the verdict about the pair, and stores the pair if its gates are not all open.
  Verdict VerdictOf(const ParkedPair& pair);

  // Opens the gates of a signal: a user event was signalled, or a semaphore will reach `value`
  // after the epochs of `clock` and the commands behind `gates`. With `failed`, drops the pairs
  // that wait for the gates. Returns the pairs whose gates are now all open and that nothing
  // orders.
  std::vector<ParkedPair> Open(const Object* object, uint64_t value, bool failed,
                               const Clock& clock = Clock(), GateSet gates = 0);

 private:
  struct Gate {
    WeakRef<Object> object;
    uint64_t value = 0;  // semaphores only
    bool operator==(const Gate& other) const {
      return object.object == other.object.object && object.generation == other.object.generation &&
             value == other.value;
    }
  };
  // Erased once all gates are open, none failed and `learnt` is empty.
  struct Set {
    std::vector<Gate> closed;
    Clock learnt;         // joined clocks of the signals that opened gates
    bool failed = false;  // a gate failed: commands behind it never run
  };

  GateSet Make(GateSet a, GateSet b, const Gate* gate);
  void Purge();
  Verdict VerdictOfLocked(const ParkedPair& pair) const;
  const Set* Find(GateSet set) const;
  bool Forgotten(GateSet set) const { return set != 0 && set < floor_ && sets_.count(set) == 0; }
  static void AddTo(std::vector<Gate>* gates, const Gate& gate);

  const HostClock& host_;
  std::atomic<uint32_t> version_{1};
  SpinLock lock_;
  std::map<GateSet, Set> sets_;
  std::vector<ParkedPair> parked_;
  GateSet next_ = 1;
  GateSet floor_ = 1;  // smaller sets were dropped to bound memory: their pairs are dropped too
  static constexpr size_t kMaxParked = 4096;
  static constexpr size_t kMaxSets = 1024;
  static constexpr size_t kMaxMembers = 32;
};

}  // namespace gpusan
