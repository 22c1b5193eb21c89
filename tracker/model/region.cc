// Geometry of regions: end, overlap, containment.
#include "tracker/model/region.h"

#include <algorithm>

namespace gpusan {
namespace {

// The first byte of a region as column, row and slice for the given pitches. BoxOf returns false if
// a row wraps into the next row.
struct Box {
  uint64_t x, y, z;
};

bool BoxOf(const Region& region, uint64_t row_pitch, uint64_t slice_pitch, Box* box) {
  uint64_t rest = region.offset;
  box->z = slice_pitch ? rest / slice_pitch : 0;
  if (slice_pitch) rest %= slice_pitch;
  box->y = row_pitch ? rest / row_pitch : 0;
  box->x = row_pitch ? rest % row_pitch : rest;
  if (row_pitch && box->x + region.width > row_pitch) return false;
  if (slice_pitch == 0) return true;
  return row_pitch ? SaturatingMultiply(box->y + region.rows, row_pitch) <= slice_pitch
                   : box->x + region.width <= slice_pitch;
}

bool Disjoint(uint64_t a, uint64_t a_length, uint64_t b, uint64_t b_length) {
  return a + a_length <= b || b + b_length <= a;
}

// Returns true if the linear range [begin, end) overlaps a row of `region`. A pitch of 0 means that
// rows or slices coincide.
bool MeetsRange(const Region& region, uint64_t begin, uint64_t end) {
  if (region.empty() || begin >= end || region.offset >= end || region.end() <= begin) return false;
  const uint64_t slice_bytes =
      SaturatingAdd(SaturatingMultiply(region.rows - 1, region.row_pitch), region.width);
  // Start at the first slice that ends after `begin`. A range as long as a pitch overlaps a row,
  // so few slices are examined.
  uint64_t slice = 0;
  if (region.slice_pitch != 0 && begin - std::min(begin, region.offset) >= slice_bytes) {
    slice = (begin - region.offset - slice_bytes) / region.slice_pitch + 1;
  }
  for (; slice < region.slices; ++slice) {
    const uint64_t first =
        SaturatingAdd(region.offset, SaturatingMultiply(slice, region.slice_pitch));
    if (first >= end) return false;
    if (SaturatingAdd(first, slice_bytes) > begin) {
      if (region.rows == 1 || region.row_pitch == 0) return true;
      // First row that ends after `begin`.
      const uint64_t row =
          begin < first + region.width ? 0 : (begin - first - region.width) / region.row_pitch + 1;
      if (row < region.rows && first + row * region.row_pitch < end) return true;
    }
    if (region.slice_pitch == 0) return false;
  }
  return false;
}

// Limit on the rows that OverlapsStrided compares one by one before it returns false. No real image
// has that many rows.
constexpr uint64_t kMaxSteps = 1 << 20;

}  // namespace

Region Region::Strided(uint64_t offset, uint64_t width, uint64_t rows, uint64_t row_pitch,
                       uint64_t slices, uint64_t slice_pitch) {
  Region region{offset,
                width,
                row_pitch,
                slice_pitch,
                static_cast<uint32_t>(std::min<uint64_t>(rows, UINT32_MAX)),
                static_cast<uint32_t>(std::min<uint64_t>(slices, UINT32_MAX))};
  if (region.rows > 1 && row_pitch == width) {
    if (slices <= 1 || slice_pitch == SaturatingMultiply(width, rows)) {
      return Linear(offset, SaturatingMultiply(SaturatingMultiply(width, rows),
                                               std::max<uint64_t>(slices, 1)));
    }
  } else if (region.rows == 1 && slices > 1 && slice_pitch == width) {
    return Linear(offset, SaturatingMultiply(width, slices));
  }
  if (region.rows <= 1) region.row_pitch = 0;
  if (region.slices <= 1) region.slice_pitch = 0;
  return region;
}

uint64_t Region::StridedEnd() const {
  if (empty()) return offset;
  uint64_t last = SaturatingAdd(offset, SaturatingMultiply(slices - 1, slice_pitch));
  last = SaturatingAdd(last, SaturatingMultiply(rows - 1, row_pitch));
  return SaturatingAdd(last, width);
}

bool operator==(const Region& a, const Region& b) {
  return a.offset == b.offset && a.width == b.width && a.rows == b.rows && a.slices == b.slices &&
         (a.rows == 1 || a.row_pitch == b.row_pitch) &&
         (a.slices == 1 || a.slice_pitch == b.slice_pitch);
}

bool OverlapsStrided(const Region& a, const Region& b) {
  if (a.empty() || b.empty() || a.offset >= b.end() || b.offset >= a.end()) return false;
  if (a.linear() && b.linear()) return true;
  if (a.linear()) return MeetsRange(b, a.offset, a.end());
  if (b.linear()) return MeetsRange(a, b.offset, b.end());
  const uint64_t row_pitch = a.rows > 1 ? a.row_pitch : b.row_pitch;
  const uint64_t slice_pitch = a.slices > 1 ? a.slice_pitch : b.slice_pitch;
  const bool same_rows = a.rows == 1 || b.rows == 1 || a.row_pitch == b.row_pitch;
  const bool same_slices = a.slices == 1 || b.slices == 1 || a.slice_pitch == b.slice_pitch;
  Box box_a, box_b;
  if (same_rows && same_slices && BoxOf(a, row_pitch, slice_pitch, &box_a) &&
      BoxOf(b, row_pitch, slice_pitch, &box_b)) {
    return !Disjoint(box_a.x, a.width, box_b.x, b.width) &&
           !Disjoint(box_a.y, a.rows, box_b.y, b.rows) &&
           !Disjoint(box_a.z, a.slices, box_b.z, b.slices);
  }
  const Region& few = uint64_t{a.rows} * a.slices <= uint64_t{b.rows} * b.slices ? a : b;
  const Region& many = &few == &a ? b : a;
  uint64_t steps = 0;
  for (uint64_t slice = 0; slice < few.slices; ++slice) {
    for (uint64_t row = 0; row < few.rows; ++row) {
      if (++steps > kMaxSteps) return false;
      const uint64_t begin = few.offset + slice * few.slice_pitch + row * few.row_pitch;
      if (MeetsRange(many, begin, begin + few.width)) return true;
    }
  }
  return false;
}

bool ContainsStrided(const Region& outer, const Region& inner) {
  if (inner.empty() || outer == inner) return true;
  if (inner.offset < outer.offset || inner.end() > outer.end()) return false;
  if (outer.linear()) return true;
  const uint64_t row_pitch = outer.rows > 1 ? outer.row_pitch : inner.row_pitch;
  const uint64_t slice_pitch = outer.slices > 1 ? outer.slice_pitch : inner.slice_pitch;
  if ((inner.rows > 1 && inner.row_pitch != row_pitch) ||
      (inner.slices > 1 && inner.slice_pitch != slice_pitch)) {
    return false;
  }
  Box box_outer, box_inner;
  if (!BoxOf(outer, row_pitch, slice_pitch, &box_outer) ||
      !BoxOf(inner, row_pitch, slice_pitch, &box_inner)) {
    return false;
  }
  return box_inner.x >= box_outer.x && box_inner.x + inner.width <= box_outer.x + outer.width &&
         box_inner.y >= box_outer.y && box_inner.y + inner.rows <= box_outer.y + outer.rows &&
         box_inner.z >= box_outer.z && box_inner.z + inner.slices <= box_outer.z + outer.slices;
}

}  // namespace gpusan
