// The content of 32-bit registers, and the arithmetic of register pairs.
#include "hooks/cuda/analysis/values.h"

#include <algorithm>
#include <optional>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxExtensions = 4096;
constexpr int64_t kUpper = int64_t{1} << 32;

using Shape = Value::Shape;

// The wide value whose upper word `value` is, if that can be said.
std::optional<Expression> WideOf(const Value& value) {
  if (value.shape == Shape::kHigh) return value.expression;
  uint16_t index;
  if (value.shape == Shape::kWord && value.expression.IsAtom(Atom::Kind::kParameter32, &index) &&
      index % 8 == 4) {
    return Expression::Of({Atom::Kind::kParameter64, static_cast<uint16_t>(index - 4)});
  }
  return std::nullopt;
}

bool SameTerms(const Expression& a, const Expression& b) {
  return a.terms == b.terms && a.inexact == b.inexact;
}

bool Contains(const Sources& all, const Sources& part) {
  const bool same_word =
      (part.flags & Sources::kGlobals) == 0 || all.module_word == part.module_word;
  return same_word && (all.flags & part.flags) == part.flags &&
         std::includes(all.slots.begin(), all.slots.end(), part.slots.begin(), part.slots.end());
}

// Returns the value whose lower word is `low`, and whose upper word is that of `wide`. nullopt: the
// lower words may differ by more than the bits of WithLowBits.
std::optional<Expression> WithLowerWord(const Expression& wide, const Value& low) {
  if (low.shape != Shape::kWord) return std::nullopt;
  const Expression own = LowWord(wide);
  if (SameTerms(own, low.expression)) return wide;
  int64_t added;
  if (wide.inexact || low.expression.inexact || own.conditions != low.expression.conditions ||
      !Sum(low.expression, own, -1).IsConstant(&added))
    return std::nullopt;
  return WithLowBits(wide, added);
}

// Whether both halves of a wide value are 0 where their conditions hold.
bool AreAssumedZero(const Value& low, const Value& high) {
  return low.shape == Shape::kWord && high.shape == Shape::kWord &&
         low.expression.IsAssumedZero() && high.expression.IsAssumedZero();
}

// Whether the two registers are known to be the halves of one value.
bool IsPair(const Value& low, const Value& high) {
  if (low.shape != Shape::kWord) return false;
  if (AreAssumedZero(low, high)) return true;
  if (const auto wide = WideOf(high)) return WithLowerWord(*wide, low).has_value();
  if (high.shape == Shape::kSign) return high.expression == low.expression;
  int64_t a, b;
  if (high.shape != Shape::kWord) return false;
  if (low.expression.IsConstant(&a) && high.expression.IsConstant(&b)) return true;
  return low.expression == high.expression && low.expression.inexact;  // two registers of one load
}

Expression Inexact(Expression expression) {
  expression.inexact = true;
  expression.conditions.clear();
  return expression;
}

// `value` times 2^32, or the wide value whose upper word it is.
Expression UpperPart(const Value& value) {
  if (const auto wide = WideOf(value)) return *wide;
  if (value.shape == Shape::kWord) return Scaled(value.expression, kUpper);
  return Expression::Unknown({});
}

}  // namespace

Value Value::Sign(const Value& word) {
  int64_t constant;
  if (word.shape != Shape::kWord) return {Shape::kSign, Expression::Unknown({})};
  if (word.expression.IsConstant(&constant))
    return Constant(static_cast<int32_t>(constant) < 0 ? UINT32_MAX : 0);
  return {Shape::kSign, word.expression};
}

Sources Value::AllSources() const { return expression.AllSources(); }

Expression Extensions::Extend(const Value& word, bool is_signed) {
  int64_t constant;
  if (word.shape != Shape::kWord || word.expression.inexact) return Expression::Unknown({});
  if (word.expression.IsConstant(&constant)) {
    // In 64 bits: the common type of the two casts would be unsigned.
    return Expression::Constant(is_signed ? int64_t{static_cast<int32_t>(constant)}
                                          : int64_t{static_cast<uint32_t>(constant)});
  }
  Extension extension{word.expression, is_signed};
  extension.word.conditions.clear();
  const std::optional<uint16_t> index = Add(extension);
  if (!index) return Expression::Unknown({});
  Expression wide = word.expression;
  wide.sources = {};
  wide.conditions.insert(wide.conditions.begin(), *index);  // all others are larger
  return wide;
}

Expression Extensions::ZeroIfBelow(const Expression& wide, uint8_t bits, unsigned shift) {
  int64_t constant;
  if (wide.IsConstant(&constant)) return Expression::Constant(constant >> shift);
  if (wide.inexact) return Expression::Unknown({});
  Extension extension{wide, false, bits};
  extension.word.conditions.clear();
  extension.word.sources = {};
  const std::optional<uint16_t> index = Add(extension);
  if (!index) return Expression::Unknown({});
  Expression zero;
  for (const uint16_t condition : wide.conditions)
    zero.conditions.push_back(condition | Expression::kOfWord);
  zero.conditions.push_back(*index | Expression::kOfWord);
  std::sort(zero.conditions.begin(), zero.conditions.end());
  zero.conditions.erase(std::unique(zero.conditions.begin(), zero.conditions.end()),
                        zero.conditions.end());
  return zero;
}

std::optional<uint16_t> Extensions::Add(const Extension& extension) {
  auto found = std::find(all_.begin(), all_.end(), extension);
  if (found == all_.end()) {
    if (all_.size() >= kMaxExtensions) return std::nullopt;
    found = all_.insert(all_.end(), extension);
  }
  return static_cast<uint16_t>(found - all_.begin());
}

Expression Combine(const Value& low, const Value& high, Extensions* extensions) {
  if (low.shape == Shape::kUndefined || high.shape == Shape::kUndefined)
    return Expression::UnknownFrom(Sources::kMemory);
  if (AreAssumedZero(low, high)) return Sum(low.expression, high.expression);
  Sources sources = low.AllSources();
  if (const auto wide = WideOf(high)) {
    if (std::optional<Expression> whole = WithLowerWord(*wide, low)) return *std::move(whole);
    // The upper word decides which allocation an address is in.
    if (!wide->Bases().Empty() && Contains(sources, wide->Bases())) return Inexact(*wide);
    Expression unknown = Inexact(*wide);
    unknown.sources.Add(sources);
    return unknown;
  }
  int64_t low_constant, high_constant;
  if (high.shape == Shape::kSign) {
    return low.expression == high.expression ? extensions->Extend(low, true)
                                             : Expression::Unknown({});
  }
  if (high.expression.IsConstant(&high_constant)) {
    if (high_constant == 0) return extensions->Extend(low, false);
    if (low.shape == Shape::kWord && low.expression.IsConstant(&low_constant)) {
      return Expression::Constant(static_cast<int64_t>(static_cast<uint64_t>(high_constant) << 32 |
                                                       static_cast<uint32_t>(low_constant)));
    }
  }
  sources.Add(high.AllSources());
  return Expression::Unknown(std::move(sources));
}

Value LowHalf(const Expression& wide) { return Value::Word(LowWord(wide)); }

Value Join(const Value& a, const Value& b) {
  if (a == b || b.shape == Shape::kUndefined) return a;
  if (a.shape == Shape::kUndefined) return b;
  if (a.shape == b.shape) {
    if (a.shape == Shape::kHigh) return Value::High(JoinWide(a.expression, b.expression));
    Value joined{a.shape, JoinWords(a.expression, b.expression)};
    // Two upper words of parameters are not two numbers.
    if (a.shape == Shape::kWord && (WideOf(a) || WideOf(b))) joined.expression.terms.clear();
    return joined;
  }
  const auto wide = [](const Value& value) {
    if (const auto known = WideOf(value)) return *known;
    return value.shape == Shape::kWord ? Expression::Unknown(value.AllSources())
                                       : Expression::Unknown({});
  };
  if (a.shape == Shape::kHigh || b.shape == Shape::kHigh)
    return Value::High(JoinWide(wide(a), wide(b)));
  // A sign and a word.
  Sources sources;
  if (a.shape == Shape::kWord) sources.Add(a.AllSources());
  if (b.shape == Shape::kWord) sources.Add(b.AllSources());
  return Value::Unknown(std::move(sources));
}

Value Add(std::span<const Addend> addends, Extensions* extensions) {
  std::vector<const Addend*> rest;
  bool has_high = false, has_sign = false;
  for (const Addend& addend : addends) {
    if (addend.value.shape == Shape::kUndefined) return Value::UnknownFrom(Sources::kMemory);
    if (addend.value.IsConstant(0)) continue;
    has_high |= addend.value.shape == Shape::kHigh;
    has_sign |= addend.value.shape == Shape::kSign;
    rest.push_back(&addend);
  }
  if (rest.size() == 1 && !rest[0]->negated) return rest[0]->value;
  if (has_high) return AddWithCarry({}, addends, extensions);
  Expression sum;
  for (const Addend* addend : rest) {
    const Expression& word = addend->value.expression;
    sum = Sum(sum, addend->value.shape == Shape::kWord ? word : Expression::Unknown({}),
              addend->negated ? -1 : 1);
  }
  if (has_sign) sum = Inexact(std::move(sum));
  return Value::Word(LowWord(sum));
}

Value AddWithCarry(std::span<const Addend> lows, std::span<const Addend> highs,
                   Extensions* extensions) {
  std::vector<bool> used(highs.size());
  std::vector<const Addend*> unpaired;
  Expression sum;
  const auto add = [&sum](const Expression& wide, bool negated) {
    sum = Sum(sum, wide, negated ? -1 : 1);
  };
  for (size_t i = 0; i < highs.size(); ++i) {
    if (highs[i].value.shape == Shape::kUndefined) return Value::UnknownFrom(Sources::kMemory);
    used[i] = highs[i].value.IsConstant(0);
  }
  for (const Addend& low : lows) {
    if (low.value.IsConstant(0)) continue;
    size_t i = 0;
    while (i < highs.size() &&
           (used[i] || highs[i].negated != low.negated || !IsPair(low.value, highs[i].value)))
      ++i;
    if (i == highs.size()) {
      unpaired.push_back(&low);
    } else {
      used[i] = true;
      add(Combine(low.value, highs[i].value, extensions), low.negated);
    }
  }
  for (const Addend* low : unpaired) {
    const auto free = std::find(used.begin(), used.end(), false);
    const size_t i = static_cast<size_t>(free - used.begin());
    if (free == used.end()) {
      add(extensions->Extend(low->value, false), low->negated);
    } else {
      used[i] = true;
      add(Combine(low->value, highs[i].value, extensions), low->negated);
    }
  }
  for (size_t i = 0; i < highs.size(); ++i) {
    if (!used[i]) add(UpperPart(highs[i].value), highs[i].negated);
  }
  return Value::High(std::move(sum));
}

}  // namespace gpusan::cuda
