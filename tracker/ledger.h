// How much memory the program holds: live and peak bytes by API.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "tracker/ids.h"
#include "tracker/spin_lock.h"

namespace gpusan {

// Thread-safe; reading takes no lock.
class Ledger {
 public:
  // Changed under the lock, which costs one atomic operation where four sums would cost one each.
  struct alignas(64) Totals {
    SpinLock lock;
    std::atomic<uint64_t> live_bytes{0};
    std::atomic<uint64_t> live_count{0};
    std::atomic<uint64_t> peak_bytes{0};
    std::atomic<uint64_t> largest_bytes{0};  // the largest single allocation that succeeded
  };

  void Add(Api api, uint64_t bytes) {
    Totals& totals = totals_[static_cast<int>(api)];
    std::lock_guard lock(totals.lock);
    const uint64_t live = Change(totals.live_bytes, bytes);
    Change(totals.live_count, 1);
    RaiseTo(totals.peak_bytes, live);
    RaiseTo(totals.largest_bytes, bytes);
  }
  void Remove(Api api, uint64_t bytes) {
    Totals& totals = totals_[static_cast<int>(api)];
    std::lock_guard lock(totals.lock);
    Change(totals.live_bytes, -bytes);
    Change(totals.live_count, -uint64_t{1});
  }
  const Totals& Of(Api api) const { return totals_[static_cast<int>(api)]; }

 private:
  static void RaiseTo(std::atomic<uint64_t>& peak, uint64_t value) {
    if (peak.load(std::memory_order_relaxed) < value)
      peak.store(value, std::memory_order_relaxed);
  }
  static uint64_t Change(std::atomic<uint64_t>& sum, uint64_t by) {
    const uint64_t changed = sum.load(std::memory_order_relaxed) + by;
    sum.store(changed, std::memory_order_relaxed);
    return changed;
  }
  Totals totals_[5];
};

}  // namespace gpusan
