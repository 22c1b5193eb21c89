// The content of 32-bit registers, and the arithmetic of register pairs.
//
// A 64-bit value is in two registers, and is often computed by two instructions: one for the lower
// word with a carry, one for the upper word. A Value therefore is one half of a wide expression.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hooks/cuda/analysis/expression.h"

namespace gpusan::cuda {

struct Value {
  enum class Shape : uint8_t {
    kUndefined,  // nothing was written yet
    kWord,       // the expression modulo 2^32
    kHigh,       // the upper word of the wide expression
    kSign,       // 0 or -1: the upper word of the sign extension of the expression
  };
  Shape shape = Shape::kUndefined;
  Expression expression;
  bool operator==(const Value&) const = default;

  static Value Word(Expression expression) { return {Shape::kWord, std::move(expression)}; }
  static Value High(Expression wide) { return {Shape::kHigh, std::move(wide)}; }
  static Value Unknown(Sources sources) { return Word(Expression::Unknown(std::move(sources))); }
  static Value UnknownFrom(Sources::Flag flag) { return Word(Expression::UnknownFrom(flag)); }
  static Value Constant(uint32_t value) {
    return Word(Expression::Constant(static_cast<int32_t>(value)));
  }

  // The upper word of the sign extension of a word.
  static Value Sign(const Value& word);

  bool IsConstant(int64_t value) const {
    return shape == Shape::kWord && expression.IsConstant(value);
  }
  // Returns everything from which the value may be computed.
  Sources AllSources() const;
};

// A word that is extended to 64 bits. The extension is exact only if the word does not overflow,
// which means that it is a number of `bits` bits. With 31 or 63 bits: a wide value whose upper bits
// are 0.
struct Extension {
  Expression word;  // without conditions of its own
  bool is_signed = false;
  uint8_t bits = 32;
  bool operator==(const Extension&) const = default;
};

// The extensions of a kernel. Expression::conditions are indices of them.
class Extensions {
 public:
  // Returns the word as a 64-bit value.
  Expression Extend(const Value& word, bool is_signed);
  // Return the sign of a wide value, which is 0 or -1, and its upper word: 0, on the condition that
  // the value is not negative or is below 2^31 (Expression::IsAssumedZero).
  Expression SignOf(const Expression& wide) { return ZeroIfBelow(wide, 63, 63); }
  Expression UpperWordOf(const Expression& wide) { return ZeroIfBelow(wide, 31, 32); }
  // Returns the index of the extension; nullopt if there are too many.
  std::optional<uint16_t> Add(const Extension& extension);
  const std::vector<Extension>& all() const { return all_; }
  // Returns the extension that an element of Expression::conditions names.
  const Extension& Of(uint16_t condition) const { return all_[IndexOf(condition)]; }
  static uint16_t IndexOf(uint16_t condition) {
    return static_cast<uint16_t>(condition & ~Expression::kOfWord);
  }

 private:
  // Returns `wide` >> `shift`, which is 0 for values from 0 to 2^bits - 1.
  Expression ZeroIfBelow(const Expression& wide, uint8_t bits, unsigned shift);

  std::vector<Extension> all_;
};

// An operand of an addition.
struct Addend {
  Value value;
  bool negated = false;
};

// Returns the wide value of a pair of registers.
Expression Combine(const Value& low, const Value& high, Extensions* extensions);
// Returns the lower word of a wide value.
Value LowHalf(const Expression& wide);

// Returns the content of a register after two paths join.
Value Join(const Value& a, const Value& b);

// Returns the sum without a carry.
Value Add(std::span<const Addend> addends, Extensions* extensions);
// Returns the upper word of a wide sum. The sum of `lows` is its lower word.
Value AddWithCarry(std::span<const Addend> lows, std::span<const Addend> highs,
                   Extensions* extensions);

}  // namespace gpusan::cuda
