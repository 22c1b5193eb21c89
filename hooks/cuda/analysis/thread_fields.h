// Some bits of a thread index: tid.x & 31, tid.x >> 5.
#pragma once

#include <cstdint>

#include "hooks/cuda/analysis/expression.h"

namespace gpusan::cuda {

// (index >> shift) modulo 2^bits, for the index of a thread in its block.
struct ThreadField {
  static constexpr unsigned kAllBits = 15;
  unsigned dimension = 0;
  unsigned shift = 0;  // below 16
  unsigned bits = 0;   // 1 to 14. kAllBits: all bits from `shift` on
  bool operator==(const ThreadField&) const = default;

  // The bits of the index that are in the field.
  uint32_t Mask() const { return (bits == kAllBits ? UINT32_MAX : (1u << bits) - 1) << shift; }
};

// Returns the atom of a field, whose index is number of the field.
inline Atom AtomOf(const ThreadField& field) {
  return {Atom::Kind::kThreadField,
          static_cast<uint16_t>(field.dimension << 8 | field.shift << 4 | field.bits)};
}
// Requires an atom of AtomOf.
inline ThreadField FieldOf(const Atom& atom) {
  const unsigned number = atom.index;
  return {number >> 8, number >> 4 & 0xf, number & 0xf};
}

// Whether all threads of a warp have the same value, in blocks whose size is a multiple of 32 in
// this dimension.
inline bool SameInWarp(const Atom& atom) {
  if (atom.kind != Atom::Kind::kThreadField) return atom.Uniform();
  const ThreadField field = FieldOf(atom);
  return field.dimension == 0 && field.shift >= 5;
}

}  // namespace gpusan::cuda
