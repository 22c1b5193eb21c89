// The order that flags in memory give.
#include "tracker/order/flag_order.h"

#include <algorithm>
#include <mutex>

namespace gpusan {

void FlagOrder::NoteWait(Epoch epoch, const HostClock& host) {
  std::lock_guard lock(lock_);
  const auto waits = std::ranges::find(waits_, epoch.timeline(), &Waits::timeline);
  if (waits == waits_.end()) {
    waits_.push_back({epoch.timeline(), epoch.tick(), epoch.tick()});
    has_waits_.store(true, std::memory_order_release);
    return;
  }
  if (host.Completed(Epoch(waits->timeline, waits->last))) waits->first = epoch.tick();
  waits->last = std::max(waits->last, epoch.tick());
}

bool FlagOrder::MayOrderSlow(Epoch earlier, Epoch later, const HostClock& host) const {
  std::lock_guard lock(lock_);
  return std::ranges::any_of(waits_, [&](const Waits& waits) {
    // The host, or a stream that has waited for the kernel, may know that the flag was written.
    if (waits.timeline != earlier.timeline() && writes_.Completed(earlier)) return true;
    // Whether the command is, or is behind, a kernel that may still wait.
    const auto is_behind = [&](Epoch epoch) {
      return epoch.timeline() == waits.timeline && waits.first <= epoch.tick();
    };
    return (is_behind(earlier) || is_behind(later)) &&
           !host.Completed(Epoch(waits.timeline, waits.last));
  });
}

}  // namespace gpusan
