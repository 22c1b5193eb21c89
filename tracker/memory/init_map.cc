// The written bytes as a short sorted list of ranges.
#include "tracker/memory/init_map.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpusan {

void InitMap::FreeRanges() {
  std::free(ranges_);
  ranges_ = nullptr;
  capacity_ = 0;
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
  if (count_ == 1 && At(0).begin == 0 && At(0).end >= size) MarkAll();
}

bool InitMap::Reserve(uint32_t count) {
  if (count <= capacity_) return true;
  const uint16_t capacity = capacity_ == 0 ? 2 : static_cast<uint16_t>(capacity_ * 2);
  const Range only = At(0);
  Range* grown = static_cast<Range*>(std::realloc(ranges_, capacity * sizeof(Range)));
  if (grown == nullptr) return false;
  if (capacity_ == 0) grown[0] = only;
  ranges_ = grown;
  capacity_ = capacity;
  return true;
}

void InitMap::MarkRange(uint64_t begin, uint64_t end) {
  if (capacity_ == 0) {
    Range only{begin, end};
    const bool joins = count_ == 0 || (At(0).begin <= end && begin <= At(0).end);
    if (count_ != 0 && joins) only = {std::min(begin, At(0).begin), std::max(end, At(0).end)};
    if (joins && end <= UINT32_MAX) {
      recent_.store(only.begin << 32 | only.end, std::memory_order_relaxed);
      count_ = 1;
      return;
    }
    if (!Reserve(count_ + 1)) return MarkAll();
  }
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
  if (count_ == kMaxRanges || !Reserve(count_ + 1)) return MarkAll();
  std::memmove(ranges_ + first + 1, ranges_ + first, (count_ - first) * sizeof(Range));
  ranges_[first] = {begin, end};
  ++count_;
}

bool InitMap::RangeUntouched(uint64_t begin, uint64_t end) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (At(i).begin < end && begin < At(i).end) return false;
  }
  return true;
}

bool InitMap::RangeCovered(uint64_t begin, uint64_t end) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (At(i).begin <= begin && end <= At(i).end) return true;
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
  for (uint32_t i = 0; i < count_; ++i) bytes += At(i).end - At(i).begin;
  return bytes;
}

bool InitMap::HasRows(uint64_t width, uint64_t pitch) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (At(i).end - At(i).begin != width || At(i).begin != At(0).begin + i * pitch) return false;
  }
  return true;
}

bool InitMap::HasOtherPitch(const Region& region) const {
  if (all() || count_ == 0 || region.slices != 1 || At(0).begin != region.offset) return false;
  if (region.rows != 1) return count_ == 1 && At(0).end - At(0).begin == region.bytes();
  if (count_ < kFewestRows || WrittenBytes(0) != region.width) return false;
  const uint64_t width = At(0).end - At(0).begin, pitch = At(1).begin - At(0).begin;
  // A read of at most one row with its gap is a read of one record of several.
  return region.width > pitch && HasRows(width, pitch);
}

uint64_t InitMap::WrittenShareOfRows(uint64_t size, uint64_t* pitch) const {
  if (all() || count_ < kFewestRows || At(0).begin != 0) return 0;
  const uint64_t width = At(0).end;
  *pitch = At(1).begin;
  if (*pitch * count_ != size || *pitch % width != 0 || !HasRows(width, *pitch)) return 0;
  return *pitch / width;
}

bool InitMap::FirstGap(uint64_t from, uint64_t to, uint64_t* begin, uint64_t* end) const {
  if (all()) return false;
  *begin = from;
  *end = to;
  for (uint32_t i = 0; i < count_; ++i) {
    if (At(i).end <= *begin) continue;
    if (At(i).begin > *begin) {
      *end = std::min(to, At(i).begin);
      break;
    }
    *begin = At(i).end;
  }
  return *begin < to;
}

}  // namespace gpusan
