// The contents of registers and predicates of one thread, and their arithmetic.
#include "hooks/cuda/machine_code/thread_words.h"

#include <bit>
#include <cmath>
#include <limits>

namespace gpusan::cuda {
namespace {

uint16_t Joined(uint16_t a, uint16_t b) {
  return a == 0 || b == 0 ? static_cast<uint16_t>(a | b) : Word::kSeveral;
}

// The bits from the lowest one on that is set.
uint32_t FromLowest(uint32_t mask) {
  return mask == 0 ? 0 : ~uint32_t{0} << std::countr_zero(mask);
}

uint32_t LookUpBits(uint8_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

}  // namespace

Flag Negated(Flag flag, bool negated) {
  if (!negated) return flag;
  flag.value = !flag.value;
  flag.zero_of = 0;
  return flag;
}

Flag And(const Flag& a, const Flag& b) {
  if ((a.IsFixed() && !a.value) || (b.IsFixed() && b.value)) return a;
  if ((b.IsFixed() && !b.value) || (a.IsFixed() && a.value)) return b;
  return {a.known && b.known, a.value && b.value, a.varying || b.varying, 0};
}

Flag Or(const Flag& a, const Flag& b) {
  return Negated(And(Negated(a, true), Negated(b, true)), true);
}

Flag Xor(const Flag& a, const Flag& b) {
  return {a.known && b.known, a.value != b.value, a.varying || b.varying, 0};
}

void WordSum::Add(const Word& word, bool negated, bool complement) {
  total_ += negated ? uint64_t{~word.bits} + (complement ? 0 : 1) : uint64_t{word.bits};
  sum_.known &= word.known;
  sum_.varying = FromLowest(sum_.varying | word.varying);
  sum_.pointer = negated && word.pointer != 0 ? Word::kSeveral : Joined(sum_.pointer, word.pointer);
}

// The carry comes from the lower words of the same numbers.
void WordSum::AddCarry(const Flag& carry) {
  total_ += carry.value ? 1 : 0;
  sum_.known &= carry.known;
  if (carry.varying) sum_.varying = UINT32_MAX;
}

Word WordSum::word() const {
  if (!sum_.known) return {};
  Word word = sum_;
  word.bits = static_cast<uint32_t>(total_);
  return word;
}

void PairSum::Add(const WordPair& pair, bool negated) {
  low_.Add(pair[0], negated, false);
  high_.Add(pair[1], negated, false);
  const uint64_t value = uint64_t{pair[1].bits} << 32 | pair[0].bits;
  total_ += negated ? uint64_t{0} - value : value;
}

WordPair PairSum::pair() const {
  WordPair pair = {low_.word(), high_.word()};
  if (!pair[0].known || !pair[1].known) return {};
  if (pair[0].varying != 0) pair[1].varying = UINT32_MAX;
  pair[0].bits = static_cast<uint32_t>(total_);
  pair[1].bits = static_cast<uint32_t>(total_ >> 32);
  return pair;
}

WordPair Multiply(const Word& a, const Word& b, bool is_signed) {
  if (a.IsFixed(0) || b.IsFixed(0)) return PairOf(0);
  if (!a.known || !b.known) return {};
  const uint64_t product = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(a.bits)} *
                                                             static_cast<int32_t>(b.bits))
                                     : uint64_t{a.bits} * b.bits;
  WordPair result = PairOf(product);
  const uint32_t varying = a.varying | b.varying;
  if (varying == 0) return result;
  result[0].varying = FromLowest(varying);
  result[1].varying = UINT32_MAX;
  result[1].pointer = Word::kSeveral;
  result[0].pointer = a.IsFixed(1) ? b.pointer : b.IsFixed(1) ? a.pointer : Word::kSeveral;
  return result;
}

Word LookUp(uint8_t table, const Word& a, const Word& b, const Word& c) {
  // The bits in which the result depends on the operand.
  const uint32_t of_a =
      LookUpBits(table, 0, b.bits, c.bits) ^ LookUpBits(table, UINT32_MAX, b.bits, c.bits);
  const uint32_t of_b =
      LookUpBits(table, a.bits, 0, c.bits) ^ LookUpBits(table, a.bits, UINT32_MAX, c.bits);
  const uint32_t of_c =
      LookUpBits(table, a.bits, b.bits, 0) ^ LookUpBits(table, a.bits, b.bits, UINT32_MAX);
  const int unknown = !a.known + !b.known + !c.known;
  if (unknown > 1 || (!a.known && of_a != 0) || (!b.known && of_b != 0) || (!c.known && of_c != 0))
    return {};
  Word result = Word::Of(LookUpBits(table, a.bits, b.bits, c.bits));
  const int varying = (a.varying != 0) + (b.varying != 0) + (c.varying != 0);
  result.varying = varying > 1 ? a.varying | b.varying | c.varying
                               : (a.varying & of_a) | (b.varying & of_b) | (c.varying & of_c);
  // A copy is still the same pointer.
  const auto copies = [&](const Word& word, uint32_t own) {
    return word.varying != 0 && own == UINT32_MAX && result.bits == word.bits;
  };
  if (result.varying == 0) return result;
  result.pointer = Word::kSeveral;
  if (varying == 1 && copies(a, of_a)) result.pointer = a.pointer;
  if (varying == 1 && copies(b, of_b)) result.pointer = b.pointer;
  if (varying == 1 && copies(c, of_c)) result.pointer = c.pointer;
  return result;
}

uint32_t SignExtended(uint32_t bits, unsigned count) {
  if (count >= 32) return bits;
  const uint32_t sign = uint32_t{1} << (count - 1);
  bits &= (sign << 1) - 1;
  return (bits ^ sign) - sign;
}

Word ExtendBits(const Word& word, const Word& count, bool is_signed) {
  if (!word.known || !count.IsFixed() || count.bits == 0 || count.bits >= 32) return {};
  const uint32_t mask = (uint32_t{1} << count.bits) - 1;
  if ((word.varying & mask) != 0) return {};
  return Word::Of(is_signed ? SignExtended(word.bits, count.bits) : word.bits & mask);
}

Word SelectBytes(const Word& a, const Word& selector, const Word& c) {
  constexpr uint32_t kFirst = 0x3210, kSecond = 0x7654, kDigits = 0xffff;
  if (!selector.IsFixed()) return {};
  if ((selector.bits & kDigits) == kFirst) return a;
  if ((selector.bits & kDigits) == kSecond) return c;
  Word result = Word::Of(0);
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t digit = selector.bits >> (4 * i) & 0xf;
    const Word& from = (digit & 4) != 0 ? c : a;
    if (!from.IsFixed()) return {};
    uint32_t byte = from.bits >> (8 * (digit & 3)) & 0xff;
    if ((digit & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // copies of its sign
    result.bits |= byte << (8 * i);
  }
  return result;
}

Word SignOf(Word word) {
  word.bits = (word.bits >> 31) != 0 ? UINT32_MAX : 0;
  word.varying = (word.varying >> 31) != 0 ? UINT32_MAX : 0;
  if (word.varying == 0) word.pointer = 0;
  return word;
}

Word Absolute(Word word) {
  if (!word.IsFixed()) return {};
  if ((word.bits >> 31) != 0) word.bits = uint32_t{0} - word.bits;
  return word;
}

Word ShiftPair(const Instruction& instruction, const WordPair& pair, const Word& count) {
  const bool right = instruction.right, upper = instruction.high;
  const bool uses_low = !right || !upper, uses_high = right || upper;
  if (!count.IsFixed() || count.bits >= 32 || (uses_low && !pair[0].known) ||
      (uses_high && !pair[1].known))
    return {};
  const auto shift = [&](uint32_t low, uint32_t high) {
    const uint64_t wide = uint64_t{uses_high ? high : 0} << 32 | (uses_low ? low : 0);
    if (!right) return static_cast<uint32_t>(wide << count.bits >> (upper ? 32 : 0));
    if (!upper) return static_cast<uint32_t>(wide >> count.bits);
    const auto word = static_cast<uint32_t>(wide >> 32);
    return instruction.is_signed ? static_cast<uint32_t>(static_cast<int32_t>(word) >> count.bits)
                                 : word >> count.bits;
  };
  Word result = Word::Of(shift(pair[0].bits, pair[1].bits));
  result.varying = shift(pair[0].varying, pair[1].varying);
  if (result.varying != 0) result.pointer = Word::kSeveral;
  return result;
}

Word Divide(Division step, const Word& word) {
  Word result;
  switch (step) {
    case Division::kNone:
      break;
    case Division::kToFloat: {
      // Rounded up. The reciprocal of 0 is not needed: the code tests for it.
      if (!word.IsFixed() || word.bits == 0) break;
      auto number = static_cast<float>(word.bits);
      if (static_cast<double>(number) < static_cast<double>(word.bits))
        number = std::nextafter(number, std::numeric_limits<float>::infinity());
      result.bits = std::bit_cast<uint32_t>(number);
      result.division = step;
      break;
    }
    case Division::kReciprocal:
      if (word.division != Division::kToFloat) break;
      result.bits = std::bit_cast<uint32_t>(1.0F / std::bit_cast<float>(word.bits));
      result.division = step;
      break;
    case Division::kScale:
      if (word.division != Division::kReciprocal) break;
      result.bits = word.bits + kDivisionScale;
      result.division = step;
      break;
    case Division::kToInteger: {
      if (word.division != Division::kScale) break;
      const double number = std::trunc(static_cast<double>(std::bit_cast<float>(word.bits)));
      if (number >= 0 && number <= UINT32_MAX) result = Word::Of(static_cast<uint32_t>(number));
      break;
    }
  }
  return result;
}

unsigned Order(uint64_t a, uint64_t b, bool is_signed, unsigned bits) {
  if (a == b) return 2;
  const uint64_t flip = is_signed ? uint64_t{1} << (bits - 1) : 0;
  return (a ^ flip) < (b ^ flip) ? 1 : 4;
}

}  // namespace gpusan::cuda
