// Signals of a semaphore: a timeline semaphore, whose values grow and may be waited for before they
// are signalled, or a binary semaphore, whose value is always 0.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/model/ids.h"
#include "tracker/model/order_point.h"

namespace gpusan {

class Call;
struct CallInfo;
struct Object;

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

// A semaphore that one API creates and other APIs of the process may import (SharedPayloads).
// `lock` guards the fields that are not atomic.
struct SharedSemaphore {
  SpinLock lock;
  bool timeline = false;
  bool foreign = false;  // also signaled outside of gpusan's view
  bool unclear = false;  // `foreign` for good: importing it does not bring all signals into view
  // Descriptors of it that no API of the process has imported: another process may use them.
  uint32_t descriptors = 0;
  // Another API of the process has imported it.
  std::atomic<bool> shared{false};
  SignalList signals;
  // Of a binary semaphore: the number of waits that were enqueued before their signal, and the
  // number of these whose signal came since. The n-th of them is behind the gate with the value n.
  uint64_t early_waits = 0, late_signals = 0;
  // Lets the API that created the semaphore apply what waits for a signal of another API. Called
  // without a lock. nullptr: never exported.
  void (*on_signal)(Call& call, Object& semaphore) = nullptr;

  void ResetShared() {
    timeline = foreign = unclear = false;
    descriptors = 0;
    shared.store(false, std::memory_order_relaxed);
    signals.Reset(0);
    early_waits = late_signals = 0;
    on_signal = nullptr;
  }
};

}  // namespace gpusan
