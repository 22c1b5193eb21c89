// Accounts for the memory of the program: live and peak bytes of each API.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"
#include "tracker/model/ids.h"

namespace gpusan {

// Thread-safe; reading takes no lock. The first thread has sums of its own, so a program that
// allocates in one thread needs no locked instruction. While several threads change the sums, the
// peak may miss a momentary maximum.
class Ledger {
 public:
  struct Totals {
    uint64_t live_bytes, live_count;
    uint64_t peak_bytes;
    uint64_t largest_bytes;  // largest single allocation that succeeded
  };

  [[gnu::always_inline]] void Add(Api api, uint64_t bytes) {
    OfApi& of_api = of_api_[static_cast<int>(api)];
    if (OwnedByThisThread(of_api)) [[likely]] {
      AddTo(of_api.owners, of_api.others, bytes);
    } else {
      AddAsOther(of_api, bytes);
    }
  }
  [[gnu::always_inline]] void Remove(Api api, uint64_t bytes) {
    OfApi& of_api = of_api_[static_cast<int>(api)];
    if (OwnedByThisThread(of_api)) [[likely]] {
      RemoveFrom(of_api.owners, bytes);
    } else {
      RemoveAsOther(of_api, bytes);
    }
  }
  Totals Of(Api api) const {
    const OfApi& of_api = of_api_[static_cast<int>(api)];
    const Sums &a = of_api.owners, &b = of_api.others;
    auto both = [](const std::atomic<uint64_t>& one, const std::atomic<uint64_t>& other) {
      return one.load(std::memory_order_relaxed) + other.load(std::memory_order_relaxed);
    };
    auto greater = [](const std::atomic<uint64_t>& one, const std::atomic<uint64_t>& other) {
      return std::max(one.load(std::memory_order_relaxed), other.load(std::memory_order_relaxed));
    };
    return {both(a.live_bytes, b.live_bytes), both(a.live_count, b.live_count),
            greater(a.peak_bytes, b.peak_bytes), greater(a.largest_bytes, b.largest_bytes)};
  }

 private:
  // Sums of one side: either the owner thread or all others. One side may remove what the other
  // added, so each sum is correct modulo 2^64 only, and only their total is meaningful.
  struct alignas(64) Sums {
    std::atomic<uint64_t> live_bytes{0}, live_count{0};
    std::atomic<uint64_t> peak_bytes{0};  // of both sides together
    std::atomic<uint64_t> largest_bytes{0};
  };
  struct OfApi {
    Sums owners;
    // Changed under the lock: one atomic operation instead of one for each of four sums.
    Sums others;
    SpinLock lock;
    std::atomic<unsigned> owner{0};  // ThreadShard() of the owner; 0: no owner yet
  };

  [[gnu::always_inline]] static bool OwnedByThisThread(OfApi& of_api) {
    const unsigned owner = of_api.owner.load(std::memory_order_relaxed);
    return owner == ThreadShard() || (owner == 0 && TakeOver(of_api));
  }
  [[gnu::noinline]] static bool TakeOver(OfApi& of_api) {
    unsigned nobody = 0;
    return of_api.owner.compare_exchange_strong(nobody, ThreadShard(), std::memory_order_relaxed);
  }
  [[gnu::noinline]] static void AddAsOther(OfApi& of_api, uint64_t bytes) {
    std::lock_guard lock(of_api.lock);
    AddTo(of_api.others, of_api.owners, bytes);
  }
  [[gnu::noinline]] static void RemoveAsOther(OfApi& of_api, uint64_t bytes) {
    std::lock_guard lock(of_api.lock);
    RemoveFrom(of_api.others, bytes);
  }
  static void AddTo(Sums& sums, const Sums& other, uint64_t bytes) {
    const uint64_t live = Change(sums.live_bytes, bytes);
    Change(sums.live_count, 1);
    RaiseTo(sums.peak_bytes, live + other.live_bytes.load(std::memory_order_relaxed));
    RaiseTo(sums.largest_bytes, bytes);
  }
  static void RemoveFrom(Sums& sums, uint64_t bytes) {
    Change(sums.live_bytes, -bytes);
    Change(sums.live_count, -uint64_t{1});
  }
  static void RaiseTo(std::atomic<uint64_t>& peak, uint64_t value) {
    if (peak.load(std::memory_order_relaxed) < value) peak.store(value, std::memory_order_relaxed);
  }
  static uint64_t Change(std::atomic<uint64_t>& sum, uint64_t by) {
    const uint64_t changed = sum.load(std::memory_order_relaxed) + by;
    sum.store(changed, std::memory_order_relaxed);
    return changed;
  }

  OfApi of_api_[kApiCount];
};

}  // namespace gpusan
