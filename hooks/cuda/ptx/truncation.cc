// Wide values that are cut to 32 bits and extended again.
#include "hooks/cuda/ptx/truncation.h"

#include <bit>
#include <utility>

namespace gpusan::cuda {
namespace {

constexpr int kWordBits = 32;

// The lower word of `wide` / 2^bits; nullopt if a coefficient is not a multiple of 2^bits.
std::optional<Value> WordAbove(const Expression& wide, int bits) {
  if (wide.inexact) return std::nullopt;
  const int64_t factor = int64_t{1} << bits;
  Expression word = wide;
  for (Term& term : word.terms) {
    if (term.coefficient % factor != 0) return std::nullopt;
    term.coefficient /= factor;
  }
  return LowHalf(word);
}

}  // namespace

std::optional<Expression> ShiftedRight(const Expression& wide, int64_t amount, bool is_signed,
                                       Extensions* extensions) {
  if (amount == 2 * kWordBits - 1 && is_signed && !wide.inexact) return extensions->SignOf(wide);
  if (amount < 0 || amount > kWordBits) return std::nullopt;
  const std::optional<Value> word = WordAbove(wide, kWordBits);
  if (!word) return std::nullopt;
  return Scaled(extensions->Extend(*word, is_signed), int64_t{1} << (kWordBits - amount));
}

std::optional<Expression> Masked(const Expression& wide, int64_t mask, Extensions* extensions) {
  const auto bits = static_cast<uint64_t>(mask);
  const int low = std::countr_zero(bits);
  if (low > kWordBits - 1 || bits != uint64_t{UINT32_MAX} << low) return std::nullopt;
  const std::optional<Value> word = WordAbove(wide, low);
  if (!word) return std::nullopt;
  return Scaled(extensions->Extend(*word, false), int64_t{1} << low);
}

}  // namespace gpusan::cuda
