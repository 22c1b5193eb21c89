// Signals of a semaphore: a timeline semaphore, whose values grow and may be waited for before they
// are signalled, or a binary semaphore, whose value is always 0.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/model/ids.h"
#include "tracker/model/order_point.h"

namespace gpusan {

struct CallInfo;

// Not thread-safe; the lock of the owner must guard it. Holds at most kMaxSignals signals. Beyond
// that, neighbouring signals merge: a wait for any value of a merged signal, or an observation of
// one, is ordered after all of them. Merging only adds order.
class SignalList {
 public:
  // What a signal follows: stages of the earlier work of the queue of `timeline`. The caller
  // defines the bits.
  struct Scope {
    TimelineId timeline = 0;
    uint64_t stages = ~uint64_t{0};

    // Adds what another signal follows.
    void Join(const Scope& other) {
      stages = timeline == other.timeline ? stages | other.stages : ~uint64_t{0};
    }
  };
  struct Signal {
    uint64_t value = 0;
    Snapshot point;  // the point after which the signal was submitted; empty: signalled by the host
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    Scope scope;
    uint64_t first = 0;   // set by Add: smallest value that it represents
    uint32_t merged = 1;  // set by Add: number of signals that it represents
  };

  // Removes all signals. `reached`: the value that the host has seen.
  void Reset(uint64_t reached);
  // Adds a submitted signal. Returns false, without side effects, if the value has been reached or
  // another signal has the same value.
  bool Add(Signal signal);
  // Appends to `*points` the points after which a wait for `value` is ordered, as far as they are
  // submitted. Returns false if no submitted signal reaches `value`. `scope`: set to what these
  // signals follow; unchanged if there are none; may be nullptr.
  bool PointsOf(uint64_t value, std::vector<Snapshot>* points, Scope* scope = nullptr) const;
  // Records that the host has seen `value` or a higher one. Returns the points that happen before:
  // those of all signals up to the first one that reaches `value`.
  std::vector<Snapshot> Observe(uint64_t value);

  uint64_t reached() const { return reached_; }
  // Removes the signal of `value` that `call` at `site` made, because its submission failed.
  void TakeBack(uint64_t value, const CallInfo& call, SiteId site);
  // For binary semaphores: access to the one signal for which no wait is submitted yet.
  bool pending() const { return !signals_.empty(); }
  Signal Take();
  const Signal& Peek() const { return signals_.front(); }
  const std::vector<Signal>& signals() const { return signals_; }

 private:
  static constexpr size_t kMaxSignals = 128;

  void MergeNeighbours();

  uint64_t reached_ = 0;
  std::vector<Signal> signals_;  // by value
};

}  // namespace gpusan
