// Signals of a semaphore: of a timeline of growing values, which may be waited for before they are
// signalled, or of a binary one, whose value is always 0.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/model/ids.h"
#include "tracker/model/order_point.h"

namespace gpusan {

struct CallInfo;

// Not thread-safe; the owner locks. Signals that nobody waits for are bounded: beyond, neighbours
// are told of as one, which whoever sees or waits for one of its values is behind. That orders
// more.
class SignalList {
 public:
  struct Signal {
    uint64_t value = 0;
    Snapshot point;  // that it was submitted behind; empty: given by the host
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    uint64_t first = 0;   // Add's: the least value that it stands for
    uint32_t merged = 1;  // Add's: signals that it stands for
  };

  // `reached`: that the host knows of.
  void Reset(uint64_t reached);
  // A signal was submitted. False, and nothing is kept: the value is reached already, or signalled
  // by something else.
  bool Add(Signal signal);
  // Adds to *points what a wait for `value` is behind, as far as it is submitted. False: nothing
  // submitted reaches the value.
  bool PointsOf(uint64_t value, std::vector<Snapshot>* points) const;
  // The host has seen the value: what is in front of it.
  std::vector<Snapshot> Observe(uint64_t value);

  uint64_t reached() const { return reached_; }
  // The submission of that signal, made by that call, has failed.
  void TakeBack(uint64_t value, const CallInfo& call, SiteId site);
  // Of binary semaphores: the one signal that nobody waits for yet.
  bool pending() const { return !signals_.empty(); }
  Signal Take();
  const Signal& Peek() const { return signals_.front(); }

 private:
  static constexpr size_t kMaxSignals = 128;

  void MergeNeighbours();

  uint64_t reached_ = 0;
  std::vector<Signal> signals_;  // by value
};

}  // namespace gpusan
