// The list of signals, sorted by value.
#include "tracker/order/semaphore.h"

#include <algorithm>
#include <utility>

namespace gpusan {

void SignalList::Reset(uint64_t reached) {
  reached_ = reached;
  signals_.clear();
}

bool SignalList::Add(Signal signal) {
  const auto at =
      std::lower_bound(signals_.begin(), signals_.end(), signal.value,
                       [](const Signal& known, uint64_t value) { return known.value < value; });
  const bool signalled_already = at != signals_.end() && at->value == signal.value;
  if (signalled_already || (signal.value != 0 && signal.value <= reached_)) return false;
  signal.first = signal.value;
  signals_.insert(at, std::move(signal));
  if (signals_.size() > kMaxSignals) MergeNeighbours();
  return true;
}

// Leaves the newest signals unmerged and balances the number of signals that each merged signal
// represents.
void SignalList::MergeNeighbours() {
  const size_t old = kMaxSignals / 4 * 3;
  for (uint32_t limit = 2; signals_.size() > old; limit *= 2) {
    size_t kept = 0;
    for (size_t i = 0; i < signals_.size(); ++i) {
      Signal& signal = signals_[i];
      if (kept != 0 && i < old && signals_[kept - 1].merged + signal.merged <= limit) {
        // Values only grow: work that waits for the later value is ordered after the earlier
        // signal, too.
        const Signal& before = signals_[kept - 1];
        signal.point.clock.Join(before.point.clock);
        signal.point.gates |= before.point.gates;
        signal.first = before.first;
        signal.scope.Join(before.scope);
        signal.merged += before.merged;
        --kept;
      }
      if (kept != i) signals_[kept] = std::move(signal);
      ++kept;
    }
    signals_.resize(kept);
  }
}

bool SignalList::PointsOf(uint64_t value, std::vector<Snapshot>* points, Scope* scope) const {
  if (value <= reached_) return true;
  bool first = true;
  for (const Signal& signal : signals_) {
    if (scope != nullptr && first) *scope = signal.scope;
    if (scope != nullptr) scope->Join(signal.scope);
    first = false;
    points->push_back(signal.point);
    if (signal.value >= value) return true;
  }
  return false;
}

std::vector<Snapshot> SignalList::Observe(uint64_t value) {
  std::vector<Snapshot> points;
  if (value <= reached_) return points;
  reached_ = value;
  // The semaphore takes only the values of its signals: a value between two signals shows that the
  // later one has happened.
  auto behind =
      std::lower_bound(signals_.begin(), signals_.end(), value,
                       [](const Signal& signal, uint64_t seen) { return signal.value < seen; });
  if (behind != signals_.end()) ++behind;
  for (auto signal = signals_.begin(); signal != behind; ++signal) points.push_back(signal->point);
  if (behind != signals_.begin() && (behind - 1)->value > value) --behind;
  signals_.erase(signals_.begin(), behind);
  return points;
}

void SignalList::TakeBack(uint64_t value, const CallInfo& call, SiteId site) {
  const auto at = std::find_if(signals_.begin(), signals_.end(), [&](const Signal& signal) {
    return signal.value == value && signal.call == &call && signal.site == site;
  });
  if (at != signals_.end()) signals_.erase(at);
}

SignalList::Signal SignalList::Take() {
  Signal taken = std::move(signals_.front());
  signals_.clear();
  return taken;
}

}  // namespace gpusan
