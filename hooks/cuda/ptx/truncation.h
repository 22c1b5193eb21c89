// Wide values that are cut to 32 bits and extended again, as compilers write conversions of 64-bit
// indices to 32 bits.
#pragma once

#include <cstdint>
#include <optional>

#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// `wide` >> `amount`, if `wide` is a word times 2^32 and the amount is at most 32: the extension of
// the word times a power of 2. nullopt: it is not known.
std::optional<Expression> ShiftedRight(const Expression& wide, int64_t amount, bool is_signed,
                                       Extensions* extensions);
// `wide` & `mask`, if the mask keeps a word times a power of 2 of which `wide` is a multiple.
std::optional<Expression> Masked(const Expression& wide, int64_t mask, Extensions* extensions);

}  // namespace gpusan::cuda
