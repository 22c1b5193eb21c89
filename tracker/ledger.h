// How much memory the program holds: live and peak bytes by API.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/ids.h"

namespace gpusan {

// Thread-safe, lock-free.
class Ledger {
 public:
  struct Totals {
    std::atomic<uint64_t> live_bytes{0};
    std::atomic<uint64_t> live_count{0};
    std::atomic<uint64_t> peak_bytes{0};
    std::atomic<uint64_t> largest_bytes{0};  // the largest single allocation that succeeded
  };

  void Add(Api api, uint64_t bytes) {
    Totals& totals = totals_[static_cast<int>(api)];
    const uint64_t live = totals.live_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    totals.live_count.fetch_add(1, std::memory_order_relaxed);
    RaiseTo(totals.peak_bytes, live);
    RaiseTo(totals.largest_bytes, bytes);
  }
  void Remove(Api api, uint64_t bytes) {
    Totals& totals = totals_[static_cast<int>(api)];
    totals.live_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    totals.live_count.fetch_sub(1, std::memory_order_relaxed);
  }
  const Totals& Of(Api api) const { return totals_[static_cast<int>(api)]; }

 private:
  static void RaiseTo(std::atomic<uint64_t>& peak, uint64_t value) {
    uint64_t known = peak.load(std::memory_order_relaxed);
    while (known < value && !peak.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
  }
  Totals totals_[5];
};

}  // namespace gpusan
