// The bytes of a resource that a visible operation has written.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/region.h"

namespace gpusan {

// Not thread-safe except for all() and SurelyCovered(); the lock of the owner must guard it. Takes
// 24 bytes and no allocation while nothing, everything, or one range below 4 GiB is written. Once
// an invisible writer (a kernel, a mapped pointer, an importer) may have written, all bytes count
// as written.
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
    element_sizes_ = 0;
    all_.store(false, std::memory_order_relaxed);
    recent_.store(0, std::memory_order_relaxed);
  }
  void MarkAll() {
    if (all()) return;
    Reset();
    all_.store(true, std::memory_order_relaxed);
  }
  // Marks `region` as written. `size`: bytes of the resource. Marks everything as written if more
  // than kMaxRanges ranges would be needed, unless they are equal rows at one pitch.
  void Mark(const Region& region, uint64_t size);

  // Returns true only if every byte of `region` was written. May return false although every byte
  // was written. Thread-safe, without the lock of the owner.
  bool SurelyCovered(const Region& region) const {
    if (all()) return true;
    const uint64_t range = recent_.load(std::memory_order_relaxed);
    return region.linear() && region.width != 0 && region.end() <= (range & 0xffffffff) &&
           region.offset >= range >> 32;
  }
  // Element sizes [bytes], as a set of powers of two, that the first write may have left out of its
  // byte count. 0 after Reset.
  void NoteElementSizes(uint8_t sizes) { element_sizes_ = sizes; }
  uint8_t element_sizes() const { return element_sizes_; }

  bool all() const { return all_.load(std::memory_order_relaxed); }
  bool none() const { return !all() && count_ == 0; }

  // Returns true if no byte of `region` was written. Returns false, if anything was written, for a
  // region of more than kMaxRows rows, unless the written rows have its pitch.
  bool Untouched(const Region& region) const;
  // Returns true if every byte of `region` was written. Returns true, if anything was written, for
  // a region of more than kMaxRows rows, unless the written rows have its pitch.
  bool Covered(const Region& region) const;
  // Returns the number of written bytes; `size` if all().
  uint64_t WrittenBytes(uint64_t size) const;
  // Returns true if as many bytes were written as `region` has, from its first byte on, but in rows
  // of another pitch: `region` has rows and the written bytes have no gap, or the reverse.
  bool HasOtherPitch(const Region& region) const;
  // Returns n if the written bytes are exactly the first n-th of each row, of several rows of one
  // pitch that fill [0, size), and stores the pitch [bytes]. Returns 0 otherwise.
  uint64_t WrittenShareOfRows(uint64_t size, uint64_t* pitch) const;
  // Finds the first unwritten range of bytes in [0, size). Returns false if there is none.
  bool FirstGap(uint64_t size, uint64_t* begin, uint64_t* end) const {
    return FirstGap(0, size, begin, end);
  }
  // The same for [from, to).
  bool FirstGap(uint64_t from, uint64_t to, uint64_t* begin, uint64_t* end) const;

 private:
  struct Range {
    uint64_t begin, end;
  };
  static constexpr uint32_t kMaxRanges = 256;
  static constexpr uint64_t kMaxRows = 1024;
  static constexpr uint32_t kFewestRows = 4;  // fewer equal ranges may be unrelated writes

  // Whether the ranges are count_ equal rows at one pitch, of which ranges_ holds the first two.
  bool regular() const { return count_ > kMaxRanges; }
  // Returns range `i` of count_ ranges.
  Range At(uint32_t i) const {
    if (capacity_ == 0) {
      const uint64_t only = recent_.load(std::memory_order_relaxed);
      return {only >> 32, only & 0xffffffff};
    }
    if (!regular()) return ranges_[i];
    const uint64_t distance = i * RowPitch();
    return {ranges_[0].begin + distance, ranges_[0].end + distance};
  }
  uint64_t RowPitch() const { return ranges_[1].begin - ranges_[0].begin; }
  // Returns the first range that ends after `position`; count_ if none does.
  uint32_t FirstAfter(uint64_t position) const;
  void FreeRanges();
  // Makes room for `count` ranges. Returns false if there is no memory.
  bool Reserve(uint32_t count);
  void MarkRange(uint64_t begin, uint64_t end);
  // Replaces the ranges by `count` rows, more than kMaxRanges, of which the first is `first`.
  void MakeRegular(Range first, uint64_t pitch, uint64_t count);
  // Adds rows at the pitch of the regular ones. Marks everything if the union is not regular.
  void AddRows(uint64_t begin, uint64_t width, uint64_t rows);
  bool RangeUntouched(uint64_t begin, uint64_t end) const;
  bool RangeCovered(uint64_t begin, uint64_t end) const;
  // Returns whether all ranges have this width and follow each other at this pitch.
  bool HasRows(uint64_t width, uint64_t pitch) const;

  // Sorted, disjoint, not adjacent. While capacity_ is 0, a single range is stored in recent_.
  Range* ranges_ = nullptr;
  uint32_t count_ = 0;
  uint16_t capacity_ = 0;
  std::atomic<bool> all_{false};
  uint8_t element_sizes_ = 0;
  // The range that the last Mark created or extended, if it ends below 4 GiB: begin in the upper
  // half, end in the lower half. One word, so that it is read atomically.
  std::atomic<uint64_t> recent_{0};
};

}  // namespace gpusan
