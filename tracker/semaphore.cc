// See the header.
#include "tracker/semaphore.h"

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
  signals_.insert(at, std::move(signal));
  if (signals_.size() > kMaxSignals) {
    // Values grow: the next one is behind the oldest.
    signals_[1].point.clock.Join(signals_[0].point.clock);
    signals_.erase(signals_.begin());
  }
  return true;
}

bool SignalList::PointsOf(uint64_t value, std::vector<Snapshot>* points) const {
  if (value <= reached_) return true;
  for (const Signal& signal : signals_) {
    points->push_back(signal.point);
    if (signal.value >= value) return true;
  }
  return false;
}

std::vector<Snapshot> SignalList::Observe(uint64_t value) {
  std::vector<Snapshot> points;
  if (value <= reached_) return points;
  reached_ = value;
  const auto last =
      std::upper_bound(signals_.begin(), signals_.end(), value,
                       [](uint64_t seen, const Signal& signal) { return seen < signal.value; });
  for (auto signal = signals_.begin(); signal != last; ++signal) points.push_back(signal->point);
  signals_.erase(signals_.begin(), last);
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
