// Bitwise operations and shifts of words that are sums again: (tid.x << 2) & 0x1fc in a block of
// 128 threads, that | ctaid.x << 10, tid.x >> 5 as a field of the index (thread_fields.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hooks/cuda/analysis/block_limits.h"
#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// Returns the bits of the word that may be set in some thread. May return additional bits.
uint32_t PossibleBits(const Value& word, const BlockLimits& block);

// The columns of a truth table of three operands: bit a << 2 | b << 1 | c is the result.
inline constexpr uint8_t kTableA = 0xf0, kTableB = 0xcc, kTableC = 0xaa;

// Returns the word to which `table` combines the operands bit by bit; nullopt if it is not a sum of
// constants, operands and fields of thread indices.
std::optional<Expression> Bitwise(uint8_t table, const std::array<const Value*, 3>& operands,
                                  const BlockLimits& block);

// Returns the word, shifted right by less than 32 bits; nullopt if the result is not such a sum.
std::optional<Expression> BitsFrom(const Value& word, unsigned shift, bool is_signed,
                                   const BlockLimits& block);

}  // namespace gpusan::cuda
