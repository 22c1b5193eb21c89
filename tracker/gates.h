// Order that is not settled yet: commands behind events which the host will signal later.
//
// A command that waits for an unsignalled user event (or a timeline value nobody has signalled) may turn out to be
// ordered behind everything the host learns until it signals. Pairs of accesses that only such a gate leaves unordered
// are parked here and judged when the gate opens; a gate that fails drops them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "tracker/access.h"
#include "tracker/object.h"
#include "tracker/spin_lock.h"

namespace gpusan {

using GateSet = uint32_t;  // 0: no gate

// A pair of accesses that waits for its gates.
struct ParkedPair {
  Access earlier, later;
  WeakRef<Resource> resource;  // empty for host memory
  bool host_memory = false;
};

// Thread-safe. Rarely used: one lock.
class Gates {
 public:
  // The set of both, with `event` added if given (an unsignalled one). Sets are shared and forgotten once open.
  GateSet Join(GateSet a, GateSet b, Event* event);

  // True while an event of the set is not signalled.
  bool Closed(GateSet set);

  void Park(ParkedPair pair);

  // `event` was signalled. Pairs whose gates are now all open are handed out to be judged; with `failed` those behind
  // the event never run and are dropped.
  std::vector<ParkedPair> Open(const Event* event, bool failed);

  bool any() const { return any_.load(std::memory_order_relaxed); }

 private:
  bool ClosedLocked(GateSet set) const { return sets_.count(set) != 0; }

  SpinLock lock_;
  std::map<GateSet, std::vector<WeakRef<Event>>> sets_;  // closed sets only
  std::vector<ParkedPair> parked_;
  GateSet next_ = 1;
  std::atomic<bool> any_{false};
  static constexpr size_t kMaxParked = 4096;
};

}  // namespace gpusan
