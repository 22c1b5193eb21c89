// The contents of registers and predicates of one thread, and their arithmetic, bit by bit as the
// instructions compute it (first_thread.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hooks/cuda/machine_code/instruction.h"

namespace gpusan::cuda {

// The content of a register.
struct Word {
  static constexpr uint16_t kSeveral = UINT16_MAX;

  uint32_t bits = 0;
  // The bits that may be others in another launch with equal input: they depend on the value of a
  // pointer.
  uint32_t varying = 0;
  // From which pointer it is computed: 0 for none, kSeveral for several or for other operations
  // than sums, else the number of the pointer + 1.
  uint16_t pointer = 0;
  bool known = false;
  // Not Division::kNone: the result of this step of a division. Then it is not `known`, and `bits`
  // are those that the step needs.
  Division division = Division::kNone;

  static Word Of(uint32_t bits) { return {bits, 0, 0, true, Division::kNone}; }
  // Whether the next launch with equal input has the same value.
  bool IsFixed() const { return known && varying == 0; }
  bool IsFixed(uint32_t value) const { return IsFixed() && bits == value; }
};
using WordPair = std::array<Word, 2>;  // the lower and the upper word

inline WordPair PairOf(uint64_t value) {
  return {Word::Of(static_cast<uint32_t>(value)), Word::Of(static_cast<uint32_t>(value >> 32))};
}

// The content of a predicate.
struct Flag {
  bool known = false;
  bool value = false;
  bool varying = false;  // as Word::varying
  // The number of the pointer + 1 whose lower word was compared with 0; 0: none.
  uint16_t zero_of = 0;

  static Flag Of(bool value) { return {true, value, false, 0}; }
  bool IsFixed() const { return known && !varying; }
};
Flag Negated(Flag flag, bool negated);
Flag And(const Flag& a, const Flag& b);
Flag Or(const Flag& a, const Flag& b);
Flag Xor(const Flag& a, const Flag& b);

// Adds words and carries.
class WordSum {
 public:
  // `complement`: a negated word is the complement, as in the upper half of a subtraction.
  void Add(const Word& word, bool negated, bool complement);
  void AddCarry(const Flag& carry);
  // The lower 32 bits.
  Word word() const;
  // How often the sum of words exceeds 32 bits. Requires a known word().
  uint64_t carry() const { return total_ >> 32; }

 private:
  Word sum_ = Word::Of(0);
  uint64_t total_ = 0;
};

// Adds pairs.
class PairSum {
 public:
  void Add(const WordPair& pair, bool negated);
  WordPair pair() const;

 private:
  WordSum low_, high_;
  uint64_t total_ = 0;
};

// The product of two words, of 64 bits.
WordPair Multiply(const Word& a, const Word& b, bool is_signed);

// A function of each bit of three words: bit 4 * a + 2 * b + c of the table.
Word LookUp(uint8_t table, const Word& a, const Word& b, const Word& c);
// The lower `count` bits, extended to a word.
Word ExtendBits(const Word& word, const Word& count, bool is_signed);
// The word whose upper 31 bits are those of `bits`, a number of `count` bits with a sign.
uint32_t SignExtended(uint32_t bits, unsigned count);
// Bytes of `a` and `c`, chosen by the digits of `selector`.
Word SelectBytes(const Word& a, const Word& selector, const Word& c);
// The upper word of a sign extension.
Word SignOf(Word word);
Word Absolute(Word word);

// The pair, shifted by `count`: its lower or upper word. The instruction has the direction.
Word ShiftPair(const Instruction& instruction, const WordPair& pair, const Word& count);

// A step of the division of integers as compilers write it: the reciprocal of the divisor as a
// number with a fraction, then integer operations that correct it. The quotient is exact whatever
// the last bits of the reciprocal are. A result of kNone is a known integer.
Word Divide(Division step, const Word& word);

// The comparison of two words, or of pairs: 1 for less, 2 for equal, 4 for greater.
unsigned Order(uint64_t a, uint64_t b, bool is_signed, unsigned bits);

}  // namespace gpusan::cuda
