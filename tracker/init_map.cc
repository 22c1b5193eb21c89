// Initialisation shadow as a short sorted list of written ranges.
#include "tracker/init_map.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpusan {

void InitMap::Reset() {
  std::free(ranges_);
  ranges_ = nullptr;
  count_ = 0;
  capacity_ = 0;
  all_.store(false, std::memory_order_relaxed);
  recent_.store(0, std::memory_order_relaxed);
}

void InitMap::MarkAll() {
  if (all()) return;
  Reset();
  all_.store(true, std::memory_order_relaxed);
}

void InitMap::Mark(const Region& region, uint64_t size) {
  if (all() || region.empty()) return;
  const uint64_t rows = uint64_t{region.rows} * region.slices;
  if ((region.linear() && region.offset == 0 && region.width >= size) || rows > kMaxRows) {
    MarkAll();
    return;
  }
  for (uint64_t slice = 0; slice < region.slices; ++slice) {
    for (uint64_t row = 0; row < region.rows; ++row) {
      const uint64_t begin = region.offset + slice * region.slice_pitch + row * region.row_pitch;
      MarkRange(begin, begin + region.width);
      if (all()) return;
    }
  }
  if (count_ == 1 && ranges_[0].begin == 0 && ranges_[0].end >= size) MarkAll();
}

void InitMap::MarkRange(uint64_t begin, uint64_t end) {
  uint32_t first = 0;
  while (first < count_ && ranges_[first].end < begin) ++first;
  uint32_t last = first;
  while (last < count_ && ranges_[last].begin <= end) {
    begin = std::min(begin, ranges_[last].begin);
    end = std::max(end, ranges_[last].end);
    ++last;
  }
  if (last > first) {
    ranges_[first] = {begin, end};
    if (end <= UINT32_MAX) recent_.store(begin << 32 | end, std::memory_order_relaxed);
    std::memmove(ranges_ + first + 1, ranges_ + last, (count_ - last) * sizeof(Range));
    count_ -= last - first - 1;
    return;
  }
  if (count_ == kMaxRanges) {
    MarkAll();
    return;
  }
  if (count_ == capacity_) {
    const uint16_t capacity = capacity_ == 0 ? 2 : static_cast<uint16_t>(capacity_ * 2);
    Range* grown = static_cast<Range*>(std::realloc(ranges_, capacity * sizeof(Range)));
    if (grown == nullptr) {
      MarkAll();
      return;
    }
    ranges_ = grown;
    capacity_ = capacity;
  }
  std::memmove(ranges_ + first + 1, ranges_ + first, (count_ - first) * sizeof(Range));
  ranges_[first] = {begin, end};
  ++count_;
}

bool InitMap::RangeUntouched(uint64_t begin, uint64_t end) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (ranges_[i].begin < end && begin < ranges_[i].end) return false;
  }
  return true;
}

bool InitMap::RangeCovered(uint64_t begin, uint64_t end) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (ranges_[i].begin <= begin && end <= ranges_[i].end) return true;
  }
  return false;
}

bool InitMap::Untouched(const Region& region) const {
  if (all()) return false;
  if (count_ == 0) return true;
  if (uint64_t{region.rows} * region.slices > kMaxRows) return false;
  for (uint64_t slice = 0; slice < region.slices; ++slice) {
    for (uint64_t row = 0; row < region.rows; ++row) {
      const uint64_t begin = region.offset + slice * region.slice_pitch + row * region.row_pitch;
      if (!RangeUntouched(begin, begin + region.width)) return false;
    }
  }
  return true;
}

bool InitMap::Covered(const Region& region) const {
  if (all() || region.empty()) return true;
  if (count_ == 0) return false;
  if (uint64_t{region.rows} * region.slices > kMaxRows) return true;
  for (uint64_t slice = 0; slice < region.slices; ++slice) {
    for (uint64_t row = 0; row < region.rows; ++row) {
      const uint64_t begin = region.offset + slice * region.slice_pitch + row * region.row_pitch;
      if (!RangeCovered(begin, begin + region.width)) return false;
    }
  }
  return true;
}

uint64_t InitMap::WrittenBytes(uint64_t size) const {
  if (all()) return size;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count_; ++i) bytes += ranges_[i].end - ranges_[i].begin;
  return bytes;
}

bool InitMap::FirstGap(uint64_t size, uint64_t* begin, uint64_t* end) const {
  if (all()) return false;
  *begin = count_ > 0 && ranges_[0].begin == 0 ? ranges_[0].end : 0;
  if (*begin >= size) return false;
  *end = size;
  for (uint32_t i = 0; i < count_; ++i) {
    if (ranges_[i].begin > *begin) {
      *end = std::min(size, ranges_[i].begin);
      break;
    }
  }
  return true;
}

}  // namespace gpusan
