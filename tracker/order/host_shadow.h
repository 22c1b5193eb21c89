// Accesses of pending commands to host memory, by address. Independent of whether the host block is
// known.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "tracker/base/spin_lock.h"
#include "tracker/order/access.h"

namespace gpusan {

// Stores accesses in buckets by window of 256 KiB; the regions are absolute addresses. An access
// that spans several windows is stored in each of them. Thread-safe.
class HostShadow {
 public:
  HostShadow() = default;
  HostShadow(const HostShadow&) = delete;
  HostShadow& operator=(const HostShadow&) = delete;

  // Sets a second counter that follows the number of entries; nullptr: none. Requires that no
  // access has been recorded.
  void SetUsers(std::atomic<uint32_t>* users) { users_ = users; }

  // Returns true while an access may be pending. A free of host memory must then search here.
  bool busy() const { return pending_.load(std::memory_order_relaxed) != 0; }

  // Calls `visit` once for each access that conflicts with `access`, in the first window that both
  // share. Then adds `access` if `keep`. Returns the number of accesses that were dropped to bound
  // memory.
  template <typename Visitor>
  int Record(const Access& access, const Clock& before, const HostClock& host, bool keep,
             Visitor visit) {
    int dropped = 0;
    ForEachBucket(access.region, [&](Bucket& bucket) {
      const uint32_t size = bucket.history.size();
      dropped += bucket.history.Record(access, before, host, keep, [&](const Access& earlier) {
        const uint64_t shared = earlier.region.offset > access.region.offset ? earlier.region.offset
                                                                             : access.region.offset;
        if (&bucket == &buckets_[(shared >> kWindowBits) % kBuckets]) visit(earlier);
      });
      Count(size, bucket.history.size());
    });
    return dropped;
  }

  // AccessHistory::Repeat for `bytes` from `address` on. Returns false if they are not in one
  // window.
  bool Repeat(uintptr_t address, uint64_t bytes, const AccessKind& kind,
              const AccessOrigin& origin) {
    const uint64_t window = address >> kWindowBits;
    if (bytes == 0 || (address + bytes - 1) >> kWindowBits != window) return false;
    Bucket& bucket = buckets_[window % kBuckets];
    std::lock_guard lock(bucket.lock);
    return bucket.history.Repeat(Region::Linear(address, bytes), 0, kind, origin);
  }

  // AccessHistory::OnlyOf for `bytes` from `address` on. Returns false if they are not in one
  // window.
  bool OnlyOf(uintptr_t address, uint64_t bytes, TimelineId timeline) {
    const uint64_t window = address >> kWindowBits;
    if (bytes == 0 || (address + bytes - 1) >> kWindowBits != window) return false;
    Bucket& bucket = buckets_[window % kBuckets];
    std::lock_guard lock(bucket.lock);
    return bucket.history.OnlyOf(timeline);
  }

  void Remove(const Region& region, Epoch epoch) {
    ForEachBucket(region, [&](Bucket& bucket) {
      const uint32_t size = bucket.history.size();
      bucket.history.Remove(epoch);
      Count(size, bucket.history.size());
    });
  }

  // Copies a pending access that overlaps `region` to `*pending` and returns true, or returns
  // false. Removes completed accesses in the buckets of `region`. With `writes_only`, skips reads.
  bool FindPending(const Region& region, const HostClock& host, Access* pending,
                   bool writes_only = false) {
    bool found = false;
    ForEachBucket(region, [&](Bucket& bucket) {
      const uint32_t size = bucket.history.size();
      bucket.history.Prune(host);
      Count(size, bucket.history.size());
      const Access* access =
          found ? nullptr : bucket.history.FindPending(region, writes_only, host);
      if (access != nullptr) {
        *pending = *access;
        found = true;
      }
    });
    return found;
  }

 private:
  static constexpr int kWindowBits = 18;
  static constexpr size_t kBuckets = 1024;
  struct alignas(64) Bucket {
    SpinLock lock;
    AccessHistory history;
  };

  template <typename Function>
  void ForEachBucket(const Region& region, Function function) {
    const uint64_t first = region.offset >> kWindowBits;
    const uint64_t last = region.end() == region.offset ? first : (region.end() - 1) >> kWindowBits;
    const uint64_t count = last - first + 1 < kBuckets ? last - first + 1 : kBuckets;
    for (uint64_t i = 0; i < count; ++i) {
      Bucket& bucket = buckets_[(first + i) % kBuckets];
      std::lock_guard lock(bucket.lock);
      function(bucket);
    }
  }

  void Count(uint32_t before, uint32_t after) {
    if (after == before) return;
    pending_.fetch_add(after - before, std::memory_order_relaxed);
    if (users_ != nullptr) users_->fetch_add(after - before, std::memory_order_relaxed);
  }

  Bucket buckets_[kBuckets];
  std::atomic<uint32_t> pending_{0};
  std::atomic<uint32_t>* users_ = nullptr;
};

}  // namespace gpusan
