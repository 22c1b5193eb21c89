// Bitwise operations on words that are sums again (bitwise.h).
#include "hooks/cuda/analysis/bitwise.h"

#include <algorithm>
#include <bit>

#include "hooks/cuda/analysis/thread_fields.h"

namespace gpusan::cuda {
namespace {

constexpr unsigned kWordBits = 32;
constexpr uint32_t kAllBits = UINT32_MAX;
constexpr uint64_t kLastLane = 31;

// The largest value of an atom; nullopt if it is not known.
std::optional<uint64_t> LargestOf(const Atom& atom, const BlockLimits& block) {
  switch (atom.kind) {
    case Atom::Kind::kThread:
      if (atom.index < block.threads.size()) return block.threads[atom.index] - 1;
      return std::nullopt;
    case Atom::Kind::kThreadField: {
      const ThreadField field = FieldOf(atom);
      const uint32_t mask = field.Mask() >> field.shift;
      return std::min((block.threads[field.dimension] - 1) >> field.shift, mask);
    }
    case Atom::Kind::kLane:
      return kLastLane;
    default:
      return std::nullopt;
  }
}

// The largest value of a term; nullopt if it is not known or negative.
std::optional<uint64_t> LargestOf(const Term& term, const BlockLimits& block) {
  if (term.coefficient < 0 || term.Degree() > 1) return std::nullopt;
  uint64_t largest = 1;
  if (term.Degree() == 1) {
    const std::optional<uint64_t> of_atom = LargestOf(term.atoms[0], block);
    if (!of_atom) return std::nullopt;
    largest = *of_atom;
  }
  return largest * static_cast<uint64_t>(term.coefficient);  // below 2^31 * 2^10
}

// The largest value of the word; nullopt if it is not known or may wrap around.
std::optional<uint64_t> LargestOf(const Expression& word, const BlockLimits& block) {
  uint64_t largest = 0;
  for (const Term& term : word.terms) {
    const std::optional<uint64_t> own = LargestOf(term, block);
    if (!own) return std::nullopt;
    largest += *own;
    if (largest > kAllBits) return std::nullopt;
  }
  return largest;
}

uint32_t BitsUpTo(uint64_t largest) {
  return static_cast<uint32_t>((uint64_t{1} << std::bit_width(largest)) - 1);
}

// The bits of a term, which is a multiple of its coefficient, also modulo 2^32.
uint32_t BitsOf(const Term& term, const BlockLimits& block) {
  const auto factor = static_cast<uint32_t>(term.coefficient);
  if (term.Degree() == 0) return factor;
  if (factor == 0) return 0;
  const uint32_t bits = kAllBits << std::countr_zero(factor);
  const std::optional<uint64_t> largest = LargestOf(term, block);
  return largest && *largest <= kAllBits ? bits & BitsUpTo(*largest) : bits;
}

// Adds the fields of the term's thread index that are the bits of `mask`. Returns false if the term
// is no index, or field of one, times a power of two.
bool AddFields(const Term& term, uint32_t mask, const BlockLimits& block, Expression* sum) {
  const auto factor = static_cast<uint32_t>(term.coefficient);
  if (term.Degree() != 1 || !std::has_single_bit(factor)) return false;
  const Atom& atom = term.atoms[0];
  ThreadField whole{atom.index, 0, ThreadField::kAllBits};
  if (atom.kind == Atom::Kind::kThreadField) {
    whole = FieldOf(atom);
  } else if (atom.kind != Atom::Kind::kThread) {
    return false;
  }
  const auto at = static_cast<unsigned>(std::countr_zero(factor));
  const auto end = static_cast<unsigned>(std::bit_width(LargestOf(atom, block).value_or(kAllBits)));
  for (uint32_t left = mask >> at; left != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const auto bits = static_cast<unsigned>(std::countr_one(left >> first));
    left &= static_cast<uint32_t>(~(((uint64_t{1} << bits) - 1) << first));
    ThreadField field{whole.dimension, whole.shift + first, bits};
    // The upper bits of an index are all of its bits from the first one on.
    if (first + bits >= end)
      field.bits = whole.bits == ThreadField::kAllBits ? ThreadField::kAllBits : whole.bits - first;
    *sum = Sum(*sum, Expression::Of(AtomOf(field)), int64_t{1} << (at + first));
  }
  return true;
}

// The bits of an exact word that are in `mask`, as a sum.
std::optional<Expression> MaskedSum(const Expression& word, uint32_t mask,
                                    const BlockLimits& block) {
  if (word.HasWordConditions()) return std::nullopt;
  Expression sum;
  uint32_t seen = 0;
  for (const Term& term : word.terms) {
    const uint32_t bits = BitsOf(term, block);
    if ((bits & seen) != 0) return std::nullopt;  // carries
    seen |= bits;
    if ((bits & mask) == 0) continue;
    Expression whole;
    whole.terms = {term};
    if (term.Degree() == 0) {
      sum = Sum(sum, Expression::Constant(static_cast<int32_t>(bits & mask)));
    } else if ((bits & ~mask) == 0) {
      sum = Sum(sum, whole);
    } else if (!AddFields(term, bits & mask, block, &sum)) {
      return std::nullopt;
    }
  }
  return sum;
}

// The result of the table for one bit of each operand.
bool Row(uint8_t table, unsigned a, unsigned b, unsigned c) {
  return (table >> (a << 2 | b << 1 | c) & 1) != 0;
}

}  // namespace

uint32_t PossibleBits(const Value& word, const BlockLimits& block) {
  if (word.shape != Value::Shape::kWord || word.expression.inexact ||
      word.expression.HasWordConditions())
    return kAllBits;
  uint32_t bits = 0;
  bool carries = false;
  for (const Term& term : word.expression.terms) {
    const uint32_t own = BitsOf(term, block);
    carries |= (bits & own) != 0;
    bits |= own;
  }
  if (!carries) return bits;
  bits = kAllBits << std::countr_zero(bits);
  const std::optional<uint64_t> largest = LargestOf(word.expression, block);
  return largest ? bits & BitsUpTo(*largest) : bits;
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
    const Expression& word = operands[i]->expression;
    if (operands[i]->shape != Value::Shape::kWord || word.inexact) return std::nullopt;
    if (taken[i] == open[i]) {
      sum = Sum(sum, word);
      continue;
    }
    const std::optional<Expression> part = MaskedSum(word, taken[i], block);
    if (!part) return std::nullopt;
    sum = Sum(sum, *part);
  }
  return LowWord(sum);
}

std::optional<Expression> BitsFrom(const Value& word, unsigned shift, bool is_signed,
                                   const BlockLimits& block) {
  if (word.shape != Value::Shape::kWord || word.expression.inexact) return std::nullopt;
  const std::optional<uint64_t> largest = LargestOf(word.expression, block);
  if (!largest || (is_signed && *largest > INT32_MAX)) return std::nullopt;
  std::optional<Expression> bits = MaskedSum(word.expression, kAllBits << shift, block);
  if (!bits) return std::nullopt;
  // Each term is a multiple of 2^shift.
  for (Term& term : bits->terms)
    term.coefficient = static_cast<uint32_t>(term.coefficient) >> shift;
  return bits;
}

}  // namespace gpusan::cuda
