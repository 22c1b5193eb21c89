// The bytes that an access touches: a linear range, or rows and slices with a pitch.
//
// Offsets in buffers are bytes from the start of the root resource. Images use a canonical layout
// without gaps (row pitch = width x texel bytes, slice pitch = rows x row pitch), so that boxes of
// texels are regions too.
#pragma once

#include <cstdint>

namespace gpusan {

// a + b and a * b for sizes from the program. The result saturates at UINT64_MAX.
inline uint64_t SaturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
inline uint64_t SaturatingMultiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

struct Region {
  uint64_t offset = 0;       // first byte of the first row [bytes]
  uint64_t width = 0;        // length of a row [bytes]
  uint64_t row_pitch = 0;    // distance between rows [bytes]; unused when rows == 1
  uint64_t slice_pitch = 0;  // distance between slices [bytes]; unused when slices == 1
  uint32_t rows = 1;
  uint32_t slices = 1;

  static Region Linear(uint64_t offset, uint64_t bytes) {
    return Region{offset, bytes, 0, 0, 1, 1};
  }
  // Rows without gaps between them become one linear range.
  static Region Strided(uint64_t offset, uint64_t width, uint64_t rows, uint64_t row_pitch,
                        uint64_t slices, uint64_t slice_pitch);

  bool empty() const { return width == 0 || rows == 0 || slices == 0; }
  bool linear() const { return rows == 1 && slices == 1; }
  // One past the last byte touched; saturates at UINT64_MAX.
  [[gnu::always_inline]] uint64_t end() const {
    return linear() ? SaturatingAdd(offset, width) : StridedEnd();
  }
  // Bytes touched, without the gaps.
  uint64_t bytes() const { return width * rows * slices; }
  // The same bytes as rows alone, if the slices follow each other at the pitch of the rows; else
  // the region itself.
  Region Flat() const {
    Region flat = *this;
    if (slices > 1 && rows > 1 && slice_pitch == row_pitch * rows &&
        uint64_t{rows} * slices <= UINT32_MAX) {
      flat.rows = rows * slices;
      flat.slices = 1;
    }
    return flat;
  }
  Region Shifted(uint64_t by) const {
    Region shifted = *this;
    shifted.offset += by;
    return shifted;
  }

 private:
  uint64_t StridedEnd() const;
};

bool operator==(const Region& a, const Region& b);

// Returns true if the regions share a byte. Exact within the step limit: the cost is constant for
// linear regions and for equal pitches, and at most one step per row otherwise. After about a
// million steps the result is false.
bool OverlapsStrided(const Region& a, const Region& b);
inline bool Overlaps(const Region& a, const Region& b) {
  if (!a.linear() || !b.linear()) return OverlapsStrided(a, b);
  return a.width != 0 && b.width != 0 && a.offset < b.end() && b.offset < a.end();
}

// Returns true only if every byte of `inner` is in `outer`. May return false for regions with
// different pitches although `outer` contains `inner`.
bool ContainsStrided(const Region& outer, const Region& inner);
inline bool Contains(const Region& outer, const Region& inner) {
  if (!outer.linear() || !inner.linear()) return ContainsStrided(outer, inner);
  return inner.width == 0 || (inner.offset >= outer.offset && inner.end() <= outer.end());
}

}  // namespace gpusan
