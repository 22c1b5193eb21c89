// Bitwise operations on words that are sums again (bitwise.h).
#include "hooks/cuda/analysis/bitwise.h"

#include <algorithm>
#include <bit>

namespace gpusan::cuda {
namespace {

constexpr unsigned kWordBits = 32;
constexpr uint32_t kAllBits = UINT32_MAX;
constexpr uint64_t kLastLane = 31;

// The largest value of a term; nullopt if it is not known or negative.
std::optional<uint64_t> LargestOf(const Term& term, const BlockLimits& block) {
  if (term.coefficient < 0 || term.Degree() > 1) return std::nullopt;
  uint64_t largest = 1;
  if (term.Degree() == 1) {
    const Atom& atom = term.atoms[0];
    if (atom.kind == Atom::Kind::kThread && atom.index < block.threads.size()) {
      largest = block.threads[atom.index] - 1;
    } else if (atom.kind == Atom::Kind::kLane) {
      largest = kLastLane;
    } else {
      return std::nullopt;
    }
  }
  return largest * static_cast<uint64_t>(term.coefficient);  // below 2^31 * 2^10
}

// The result of the table for one bit of each operand.
bool Row(uint8_t table, unsigned a, unsigned b, unsigned c) {
  return (table >> (a << 2 | b << 1 | c) & 1) != 0;
}

}  // namespace

uint32_t PossibleBits(const Value& word, const BlockLimits& block) {
  if (word.shape != Value::Shape::kWord || word.expression.inexact) return kAllBits;
  // Each term is a multiple of its coefficient, also modulo 2^32.
  int zeros = static_cast<int>(kWordBits);
  uint64_t largest = 0;
  bool bounded = true;
  for (const Term& term : word.expression.terms) {
    zeros = std::min(zeros, std::countr_zero(static_cast<uint32_t>(term.coefficient)));
    const std::optional<uint64_t> own = LargestOf(term, block);
    bounded &= own.has_value();
    largest += own.value_or(0);
    bounded &= largest <= kAllBits;
  }
  if (zeros >= static_cast<int>(kWordBits)) return 0;
  uint32_t bits = kAllBits << zeros;
  if (bounded) bits &= static_cast<uint32_t>((uint64_t{1} << std::bit_width(largest)) - 1);
  return bits;
}

std::optional<Expression> Bitwise(uint8_t table, const std::array<const Value*, 3>& operands,
                                  const BlockLimits& block) {
  std::array<uint32_t, 3> open{};   // the bits that may be set or not
  std::array<uint32_t, 3> ones{};   // the bits that are set
  std::array<uint32_t, 3> taken{};  // the open bits that are bits of the result
  for (size_t i = 0; i < operands.size(); ++i) {
    int64_t constant;
    if (operands[i]->shape == Value::Shape::kWord &&
        operands[i]->expression.IsConstant(&constant)) {
      ones[i] = static_cast<uint32_t>(constant);
    } else {
      open[i] = PossibleBits(*operands[i], block);
    }
  }
  uint32_t constant = 0;
  for (unsigned bit = 0; bit < kWordBits; ++bit) {
    const auto has = [bit](uint32_t word) { return word >> bit & 1; };
    std::array<unsigned, 3> set = {has(ones[0]), has(ones[1]), has(ones[2])};
    size_t open_operand = operands.size();
    for (size_t i = 0; i < operands.size(); ++i) {
      if (has(open[i]) == 0) continue;
      if (open_operand != operands.size()) return std::nullopt;  // two of them
      open_operand = i;
    }
    const bool unset = Row(table, set[0], set[1], set[2]);
    if (open_operand == operands.size()) {
      constant |= static_cast<uint32_t>(unset) << bit;
      continue;
    }
    set[open_operand] = 1;
    const bool if_set = Row(table, set[0], set[1], set[2]);
    if (unset && !if_set) return std::nullopt;  // the complement
    if (unset) {
      constant |= 1u << bit;
    } else if (if_set) {
      taken[open_operand] |= 1u << bit;
    }
  }
  Expression sum = Expression::Constant(static_cast<int32_t>(constant));
  for (size_t i = 0; i < operands.size(); ++i) {
    if (taken[i] == 0) continue;
    if (taken[i] != open[i] || operands[i]->shape != Value::Shape::kWord ||
        operands[i]->expression.inexact)
      return std::nullopt;
    sum = Sum(sum, operands[i]->expression);
  }
  return LowWord(sum);
}

}  // namespace gpusan::cuda
