// Bitwise operations on words as sums, against the operations on the words of each thread.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "hooks/cuda/analysis/bitwise.h"
#include "hooks/cuda/analysis/thread_fields.h"

namespace gpusan::cuda {
namespace {

constexpr uint32_t kThreads = 128, kBlocks = 5;

Expression Times(Atom::Kind kind, int64_t factor) {
  return Scaled(Expression::Of({kind, 0}), factor);
}
Expression Thread(int64_t factor) { return Times(Atom::Kind::kThread, factor); }
Expression Field(unsigned shift, unsigned bits) { return Expression::Of(AtomOf({0, shift, bits})); }
Expression Block(int64_t factor) { return Times(Atom::Kind::kBlock, factor); }

uint32_t ValueIn(const Expression& word, uint32_t thread, uint32_t block) {
  uint32_t sum = 0;
  for (const Term& term : word.terms) {
    uint32_t product = static_cast<uint32_t>(term.coefficient);
    for (const Atom& atom : term.atoms) {
      if (atom.kind == Atom::Kind::kThread) product *= thread;
      if (atom.kind == Atom::Kind::kThreadField)
        product *= (thread & FieldOf(atom).Mask()) >> FieldOf(atom).shift;
      if (atom.kind == Atom::Kind::kBlock) product *= block;
    }
    sum += product;
  }
  return sum;
}

uint32_t Combined(uint8_t table, const std::array<uint32_t, 3>& words) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned row =
        (words[0] >> bit & 1) << 2 | (words[1] >> bit & 1) << 1 | (words[2] >> bit & 1);
    result |= static_cast<uint32_t>(table >> row & 1) << bit;
  }
  return result;
}

BlockLimits Limits() {
  BlockLimits limits;
  limits.Require({kThreads, 1, 1});
  return limits;
}

TEST_CASE("a sum equals the bitwise operation in each thread") {
  std::vector<Value> words;
  for (const int64_t constant : {0, -1, 1, 63, 127, 252, 508, 0x3fc, 0x1fc00})
    words.push_back(Value::Word(Expression::Constant(constant)));
  for (const int64_t factor : {1, 2, 4, 12, 128, -4}) words.push_back(Value::Word(Thread(factor)));
  for (const int64_t factor : {1, 128, 512, 1 << 30})
    words.push_back(Value::Word(LowWord(Block(factor))));
  words.push_back(Value::Word(Field(2, 3)));
  words.push_back(Value::Word(Sum(Scaled(Field(0, 4), 4), Field(4, ThreadField::kAllBits), 64)));
  words.push_back(Value::Word(Sum(Thread(4), Block(1024))));
  words.push_back(Value::Word(Sum(Thread(4), Expression::Constant(2))));
  size_t sums = 0;
  for (unsigned table = 0; table < 256; ++table) {
    for (const Value& a : words) {
      for (const Value& b : words) {
        for (const Value* c : {&words[0], &words[5], &words[10]}) {
          const auto sum = Bitwise(static_cast<uint8_t>(table), {&a, &b, c}, Limits());
          if (!sum) continue;
          ++sums;
          bool same = !sum->inexact;
          for (uint32_t thread = 0; thread < kThreads; thread += 7) {
            for (uint32_t block = 0; block < kBlocks; ++block) {
              same &=
                  ValueIn(*sum, thread, block) ==
                  Combined(static_cast<uint8_t>(table), {ValueIn(a.expression, thread, block),
                                                         ValueIn(b.expression, thread, block),
                                                         ValueIn(c->expression, thread, block)});
            }
          }
          if (!same) FAIL("table " << table);
        }
      }
    }
  }
  CHECK(sums > 10000);
}

TEST_CASE("a word that is shifted right is a sum of fields") {
  const Value index = Value::Word(Thread(4));
  CHECK(BitsFrom(index, 2, false, Limits()) == Thread(1));
  CHECK(BitsFrom(index, 7, false, Limits()) == Field(5, ThreadField::kAllBits));
  CHECK(BitsFrom(index, 7, true, Limits()) == Field(5, ThreadField::kAllBits));
  CHECK(BitsFrom(index, 9, false, Limits()) == Expression());
  CHECK(BitsFrom(Value::Word(Field(2, 4)), 1, false, Limits()) == Field(3, 3));
  const Value upper = Value::Word(Field(3, ThreadField::kAllBits));
  CHECK(BitsFrom(upper, 2, false, Limits()) == Field(5, ThreadField::kAllBits));
  const Value two = Value::Word(Sum(Scaled(Field(0, 2), 4), Field(2, 3), 16));
  CHECK(BitsFrom(two, 3, false, Limits()) == Sum(Field(1, 1), Field(2, 3), 2));
  // The highest bit is no sign without one.
  const Value high = Value::Word(LowWord(Expression::Constant(int64_t{1} << 31)));
  CHECK(BitsFrom(high, 28, false, Limits()) == std::nullopt);
  // A product may have lost bits, and a sum has carries.
  CHECK(BitsFrom(Value::Word(Block(32)), 5, false, Limits()) == std::nullopt);
  CHECK(BitsFrom(Value::Word(Sum(Thread(1), Thread(64))), 5, false, Limits()) == std::nullopt);
  CHECK(BitsFrom(Value::Word(Sum(Thread(1), Expression::Constant(1))), 1, false, Limits()) ==
        std::nullopt);
}

TEST_CASE("a remainder is a field") {
  const Expression warp = Field(5, ThreadField::kAllBits);
  CHECK(Sum(Thread(4), warp, -128) == Scaled(Field(0, 5), 4));
  CHECK(Sum(Product(Thread(1), Block(1)), Product(warp, Block(1)), -32) ==
        Product(Field(0, 5), Block(1)));
  CHECK(Sum(Thread(4), warp, -64).terms.size() == 2);
  CHECK(Sum(Thread(4), warp, 128).terms.size() == 2);
  CHECK(Sum(Thread(4), Field(5, 2), -128).terms.size() == 2);
}

TEST_CASE("fields of a warp are the same in its threads") {
  CHECK(InSomeThread(Field(5, ThreadField::kAllBits)) == Field(5, ThreadField::kAllBits));
  CHECK(InSomeThread(Field(6, 1)) == Field(6, 1));
  CHECK(InSomeThread(Field(4, 2)).inexact);
  CHECK(InSomeThread(Expression::Of(AtomOf({1, 5, 2}))).inexact);
}

TEST_CASE("a mask leaves a field if the block is not small enough") {
  const Value index = Value::Word(Thread(4)), mask = Value::Word(Expression::Constant(0x1fc)),
              none = Value::Constant(0);
  const auto masked = [&](const BlockLimits& limits) {
    return Bitwise(kTableA & kTableB, {&index, &mask, &none}, limits);
  };
  CHECK(masked(Limits()) == Thread(4));
  CHECK(masked(BlockLimits()) == Scaled(Field(0, 7), 4));
  BlockLimits product;
  product.LimitProduct({8, 4, 4});
  CHECK(masked(product) == Thread(4));
  product = BlockLimits();
  product.LimitProduct({8, 4, 5});
  CHECK(masked(product) == Scaled(Field(0, 7), 4));
  // Sizes that are missing or damaged limit nothing.
  BlockLimits damaged;
  damaged.Require({0, 0, 0});
  damaged.LimitProduct({0, 1, 1});
  damaged.LimitProduct({UINT32_MAX, UINT32_MAX, UINT32_MAX});
  CHECK(damaged.threads == BlockLimits().threads);
}

TEST_CASE("unknown words have all bits") {
  CHECK(PossibleBits(Value::Unknown({}), BlockLimits()) == UINT32_MAX);
  CHECK(PossibleBits(Value::High(Thread(1)), BlockLimits()) == UINT32_MAX);
  CHECK(PossibleBits(Value::Word(Block(8)), BlockLimits()) == UINT32_MAX << 3);
  CHECK(PossibleBits(Value::Word(Thread(-1)), BlockLimits()) == UINT32_MAX);
  CHECK(PossibleBits(Value::Word(Thread(1)), BlockLimits()) == 1023);
  CHECK(PossibleBits(Value::Word(Times(Atom::Kind::kLane, 4)), BlockLimits()) == 124);
  const Value unknown = Value::Unknown({}), mask = Value::Word(Expression::Constant(255)),
              none = Value::Constant(0);
  CHECK(Bitwise(kTableA & kTableB, {&unknown, &mask, &none}, BlockLimits()) == std::nullopt);
  CHECK(Bitwise(kTableA | kTableB, {&unknown, &none, &none}, BlockLimits()) == std::nullopt);
}

}  // namespace
}  // namespace gpusan::cuda
