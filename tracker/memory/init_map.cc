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
  const Region flat = region.Flat();
  if (flat.linear() && flat.offset == 0 && flat.width >= size) return MarkAll();
  const uint64_t rows = uint64_t{flat.rows} * flat.slices;
  if (regular()) {
    const bool same_pitch = flat.slices == 1 && (flat.rows == 1 || flat.row_pitch == RowPitch());
    same_pitch ? AddRows(flat.offset, flat.width, rows) : MarkAll();
  } else if (rows > kMaxRanges && count_ == 0 && flat.slices == 1 && flat.width < flat.row_pitch) {
    MakeRegular({flat.offset, flat.offset + flat.width}, flat.row_pitch, rows);
  } else if (rows > kMaxRows) {
    MarkAll();
  } else {
    for (uint64_t slice = 0; slice < flat.slices; ++slice) {
      for (uint64_t row = 0; row < flat.rows && !all(); ++row) {
        const uint64_t begin = flat.offset + slice * flat.slice_pitch + row * flat.row_pitch;
        MarkRange(begin, begin + flat.width);
      }
    }
  }
  if (count_ == 1 && At(0).begin == 0 && At(0).end >= size) MarkAll();
}

void InitMap::MakeRegular(Range first, uint64_t pitch, uint64_t count) {
  if (count > UINT32_MAX || !Reserve(2)) return MarkAll();
  ranges_[0] = first;
  ranges_[1] = {first.begin + pitch, first.end + pitch};
  count_ = static_cast<uint32_t>(count);
}

void InitMap::AddRows(uint64_t begin, uint64_t width, uint64_t rows) {
  const uint64_t pitch = RowPitch();
  const Range first = ranges_[0], last = At(count_ - 1);
  const uint64_t end = begin + (rows - 1) * pitch + width;
  if (rows == 1 && begin <= first.begin && end >= last.end) {
    count_ = 0;
    return MarkRange(begin, end);
  }
  if (width >= pitch) return MarkAll();
  // Rows below, above or among the others.
  if (width == first.end - first.begin && begin <= last.begin + pitch &&
      begin + rows * pitch >= first.begin &&
      (begin > first.begin ? begin - first.begin : first.begin - begin) % pitch == 0) {
    const uint64_t top = std::min(begin, first.begin);
    const uint64_t bottom = std::max(begin + (rows - 1) * pitch, last.begin);
    return MakeRegular({top, top + width}, pitch, (bottom - top) / pitch + 1);
  }
  // Columns of the same rows, beside or among the others.
  if (rows == count_ && begin <= first.end && begin + width >= first.begin) {
    const Range wide{std::min(begin, first.begin), std::max(begin + width, first.end)};
    if (wide.end - wide.begin < pitch) return MakeRegular(wide, pitch, rows);
    count_ = 0;
    return MarkRange(wide.begin, wide.end + (rows - 1) * pitch);
  }
  const uint32_t at = FirstAfter(begin);
  const bool covered =
      at < count_ && rows <= count_ - at && At(at).begin <= begin && begin + width <= At(at).end;
  if (!covered) MarkAll();
}

uint32_t InitMap::FirstAfter(uint64_t position) const {
  if (regular()) {
    if (position < ranges_[0].end) return 0;
    const uint64_t before = (position - ranges_[0].end) / RowPitch() + 1;
    return static_cast<uint32_t>(std::min<uint64_t>(before, count_));
  }
  uint32_t first = 0;
  while (first < count_ && At(first).end <= position) ++first;
  return first;
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
  if (count_ == kMaxRanges) {
    const Range front = ranges_[0];
    const uint64_t width = end - begin, pitch = RowPitch();
    if (begin == front.begin + count_ * pitch && HasRows(width, pitch))
      return MakeRegular(front, pitch, count_ + 1);
    return MarkAll();
  }
  if (!Reserve(count_ + 1)) return MarkAll();
  std::memmove(ranges_ + first + 1, ranges_ + first, (count_ - first) * sizeof(Range));
  ranges_[first] = {begin, end};
  ++count_;
}

bool InitMap::RangeUntouched(uint64_t begin, uint64_t end) const {
  const uint32_t next = FirstAfter(begin);
  return next == count_ || At(next).begin >= end;
}

bool InitMap::RangeCovered(uint64_t begin, uint64_t end) const {
  const uint32_t next = FirstAfter(begin);
  return next < count_ && At(next).begin <= begin && end <= At(next).end;
}

bool InitMap::Untouched(const Region& region) const {
  if (all()) return false;
  if (count_ == 0) return true;
  const Region flat = region.Flat();
  if (uint64_t{flat.rows} * flat.slices > kMaxRows) {
    if (!regular() || flat.slices != 1 || flat.row_pitch != RowPitch()) return false;
    const Range first = ranges_[0];
    return !Overlaps(flat, Region{first.begin, first.end - first.begin, RowPitch(), 0, count_, 1});
  }
  for (uint64_t slice = 0; slice < flat.slices; ++slice) {
    for (uint64_t row = 0; row < flat.rows; ++row) {
      const uint64_t begin = flat.offset + slice * flat.slice_pitch + row * flat.row_pitch;
      if (!RangeUntouched(begin, begin + flat.width)) return false;
    }
  }
  return true;
}

bool InitMap::Covered(const Region& region) const {
  if (all() || region.empty()) return true;
  if (count_ == 0) return false;
  const Region flat = region.Flat();
  if (uint64_t{flat.rows} * flat.slices > kMaxRows) {
    if (!regular() || flat.slices != 1 || flat.row_pitch != RowPitch()) return true;
    return flat.rows <= count_ - FirstAfter(flat.offset) &&
           RangeCovered(flat.offset, flat.offset + flat.width);
  }
  for (uint64_t slice = 0; slice < flat.slices; ++slice) {
    for (uint64_t row = 0; row < flat.rows; ++row) {
      const uint64_t begin = flat.offset + slice * flat.slice_pitch + row * flat.row_pitch;
      if (!RangeCovered(begin, begin + flat.width)) return false;
    }
  }
  return true;
}

uint64_t InitMap::WrittenBytes(uint64_t size) const {
  if (all()) return size;
  if (regular()) return (ranges_[0].end - ranges_[0].begin) * count_;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count_; ++i) bytes += At(i).end - At(i).begin;
  return bytes;
}

bool InitMap::HasRows(uint64_t width, uint64_t pitch) const {
  if (regular()) return ranges_[0].end - ranges_[0].begin == width && RowPitch() == pitch;
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
  for (uint32_t i = FirstAfter(from); i < count_; ++i) {
    if (At(i).begin > *begin) {
      *end = std::min(to, At(i).begin);
      break;
    }
    *begin = At(i).end;
  }
  return *begin < to;
}

}  // namespace gpusan
