// The orders between commands that flags in memory can give.
#include "tracker/order/waiting_kernels.h"

namespace gpusan {
namespace {

// Of one timeline: the first and the last kernel that waits, since the host has last waited for all
// of them. 0: none.
struct FlagWaits {
  std::atomic<uint64_t> first{0}, last{0};
};

// The timelines with kernels that have waited: none, one, or several.
constexpr uint64_t kNone = UINT64_MAX, kSeveral = UINT64_MAX - 1;
constinit std::atomic<uint64_t> waiting_timeline{kNone};

constinit HostClock flag_writes;  // commands that are not behind the last flag of their timeline
constinit FlagWaits flag_waits[kMaxTimelines];

// Whether the command is, or is behind, a kernel that may still wait.
bool IsBehindWait(Epoch epoch, const HostClock& host) {
  const FlagWaits& waits = flag_waits[epoch.timeline()];
  const uint64_t first = waits.first.load(std::memory_order_acquire);
  return first != 0 && first <= epoch.tick() &&
         !host.Completed(Epoch(epoch.timeline(), waits.last.load(std::memory_order_acquire)));
}

}  // namespace

void NoteFlagWrite(Epoch epoch) { flag_writes.Join(epoch); }

void NoteFlagWait(Epoch epoch, const HostClock& host) {
  FlagWaits& waits = flag_waits[epoch.timeline()];
  const uint64_t last = waits.last.load(std::memory_order_relaxed);
  if (last == 0 || host.Completed(Epoch(epoch.timeline(), last)))
    waits.first.store(epoch.tick(), std::memory_order_release);
  if (last < epoch.tick()) waits.last.store(epoch.tick(), std::memory_order_release);
  uint64_t known = kNone;
  if (!waiting_timeline.compare_exchange_strong(known, epoch.timeline()) &&
      known != epoch.timeline())
    waiting_timeline.store(kSeveral);
}

bool MayBeOrderedByFlag(Epoch earlier, Epoch later, const HostClock& host) {
  const uint64_t waiting = waiting_timeline.load(std::memory_order_acquire);
  if (waiting == kNone) [[likely]]
    return false;
  // The host, or a stream that has waited for the kernel, may know that the flag was written.
  if (waiting != earlier.timeline() && flag_writes.Completed(earlier)) return true;
  return IsBehindWait(earlier, host) || IsBehindWait(later, host);
}

}  // namespace gpusan
