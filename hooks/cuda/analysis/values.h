// What a 32-bit register holds, and the arithmetic of register pairs.
//
// A 64-bit value lies in two registers, and is often computed by two instructions: one for the
// lower word with a carry, one for the upper word. A Value therefore says which half of which wide
// expression a register holds.
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
  // All that the value may be computed from.
  Sources AllSources() const;
};

// Words that were extended to 64 bits. The extension is exact only where the word does not
// overflow.
struct Extension {
  Expression word;
  bool is_signed = false;
  bool operator==(const Extension&) const = default;
};

class Extensions {
 public:
  Expression Extend(const Value& word, bool is_signed);
  // Returns the index of the extension; nullopt if there are too many.
  std::optional<uint16_t> Add(const Extension& extension);
  const std::vector<Extension>& all() const { return all_; }

 private:
  std::vector<Extension> all_;
};

// An operand of an addition.
struct Addend {
  Value value;
  bool negated = false;
};

// The wide value of a pair of registers.
Expression Combine(const Value& low, const Value& high, Extensions* extensions);
Value LowHalf(const Expression& wide);

// What the register holds after one of two paths.
Value Join(const Value& a, const Value& b);

// The sum without a carry.
Value Add(std::span<const Addend> addends, Extensions* extensions);
// The upper word of a sum, whose lower word is the sum of `lows`.
Value AddWithCarry(std::span<const Addend> lows, std::span<const Addend> highs,
                   Extensions* extensions);

}  // namespace gpusan::cuda
