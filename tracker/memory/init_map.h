// Which bytes of a resource were ever written by something visible.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/region.h"

namespace gpusan {

// Not thread-safe but for all() and SurelyCovered(); the owner locks. 24 bytes while nothing, one
// range below 4 GiB or everything is written. Once something invisible may have written (a kernel,
// a mapped pointer, an importer), everything counts as written.
class InitMap {
 public:
  InitMap() = default;
  InitMap(const InitMap&) = delete;
  InitMap& operator=(const InitMap&) = delete;
  ~InitMap() { Reset(); }

  void Reset() {
    if (ranges_ != nullptr) [[unlikely]]
      FreeRanges();
    count_ = 0;
    all_.store(false, std::memory_order_relaxed);
    recent_.store(0, std::memory_order_relaxed);
  }
  void MarkAll() {
    if (all()) return;
    Reset();
    all_.store(true, std::memory_order_relaxed);
  }
  // `size`: bytes of the resource. Rows beyond a bounded number of separate ranges count as
  // everything written.
  void Mark(const Region& region, uint64_t size);

  // True only if every byte of `region` was written; may answer false instead. Without the owner's
  // lock, from any thread.
  bool SurelyCovered(const Region& region) const {
    if (all()) return true;
    const uint64_t range = recent_.load(std::memory_order_relaxed);
    return region.linear() && region.width != 0 && region.end() <= (range & 0xffffffff) &&
           region.offset >= range >> 32;
  }
  bool all() const { return all_.load(std::memory_order_relaxed); }
  bool none() const { return !all() && count_ == 0; }

  // True if not one byte of `region` was written.
  bool Untouched(const Region& region) const;
  // True if every byte of `region` was written.
  bool Covered(const Region& region) const;
  // Bytes written so far in all (size of the resource when all()).
  uint64_t WrittenBytes(uint64_t size) const;
  // The first range of bytes in [0, size) that nothing has written; false if there is none.
  bool FirstGap(uint64_t size, uint64_t* begin, uint64_t* end) const;

 private:
  struct Range {
    uint64_t begin, end;
  };
  static constexpr uint32_t kMaxRanges = 256;
  static constexpr uint64_t kMaxRows = 1024;

  // Of count_.
  Range At(uint32_t i) const {
    if (capacity_ != 0) return ranges_[i];
    const uint64_t only = recent_.load(std::memory_order_relaxed);
    return {only >> 32, only & 0xffffffff};
  }
  void FreeRanges();
  // False: there is no memory for another range.
  bool Reserve(uint32_t count);
  void MarkRange(uint64_t begin, uint64_t end);
  bool RangeUntouched(uint64_t begin, uint64_t end) const;
  bool RangeCovered(uint64_t begin, uint64_t end) const;

  // Sorted, disjoint, not adjacent. With a capacity of 0 the only one is in recent_.
  Range* ranges_ = nullptr;
  uint32_t count_ = 0;
  uint16_t capacity_ = 0;
  std::atomic<bool> all_{false};
  // The range that the last Mark made or joined, if below 4 GiB: begin above, end below. One word,
  // so that it is read as one.
  std::atomic<uint64_t> recent_{0};
};

}  // namespace gpusan
