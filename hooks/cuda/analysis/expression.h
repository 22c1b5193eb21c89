// Integers as polynomials of launch parameters, thread indices and kernel parameters.
//
// value = sum of coefficient * product of up to kMaxDegree atoms (+ something unknown). A pointer
// parameter is one atom of 64 bits. Words are polynomials modulo 2^32, and wide values modulo 2^64.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gpusan::cuda {

// A variable of a polynomial. `index` is 0 to 2 for x, y, z, a byte offset in the parameter block,
// the number of a loop, of an opaque word, or of a register.
struct Atom {
  enum class Kind : uint8_t {
    kNone,
    kThread,
    kBlock,
    kBlockSize,
    kGridSize,
    kLane,
    kEnvironment,  // %envreg of PTX: the same in all threads of a grid
    kThreadField,  // some bits of a thread index (thread_fields.h)
    kIteration,    // of the loop `index` of the kernel, from 0 on
    kOpaque,       // some word, on one path through the kernel
    kParameter32,
    kParameter64
  };
  Kind kind = Kind::kNone;
  uint16_t index = 0;
  auto operator<=>(const Atom&) const = default;
  // False if threads of one block can have different values.
  bool Uniform() const {
    return kind != Kind::kThread && kind != Kind::kThreadField && kind != Kind::kLane &&
           kind != Kind::kIteration && kind != Kind::kOpaque;
  }
};

constexpr unsigned kMaxDegree = 4;

struct Term {
  int64_t coefficient = 0;
  std::array<Atom, kMaxDegree> atoms{};  // descending; kNone at the end
  bool operator==(const Term&) const = default;
  unsigned Degree() const;
};

// The sources of the unknown part of a value, if it may be a pointer.
struct Sources {
  enum Flag : uint8_t {
    kMemory = 1,     // loaded from memory, or otherwise unknown
    kGlobals = 2,    // the address of a variable of the module
    kDriver = 4,     // a constant of the driver: the windows of local and shared memory, the stack
    kParameters = 8  // any 8 bytes of the parameter block
  };
  static constexpr uint32_t kAnyWord = UINT32_MAX;
  uint8_t flags = 0;
  std::vector<uint16_t> slots;  // offsets of 8-byte words in the parameter block, ascending
  // kGlobals: the only 8-byte word of constant bank 4 from which the value comes, by its offset. In
  // PTX, the number of the only variable.
  uint32_t module_word = kAnyWord;
  bool operator==(const Sources&) const = default;
  bool Empty() const { return flags == 0 && slots.empty(); }
  void Add(const Sources& other);
  void AddSlot(uint16_t slot);
};

struct Expression {
  std::vector<Term> terms;  // by atoms, without duplicates; the constant is the term without atoms
  bool inexact = false;     // something unknown is added
  Sources sources;          // of the unknown part
  // The Extensions on which the value rests: it holds only where none of them overflows. With the
  // bit kOfWord the lower word of the value rests on the extension, too.
  std::vector<uint16_t> conditions;  // ascending
  static constexpr uint16_t kOfWord = 0x8000;
  bool operator==(const Expression&) const = default;

  static Expression Constant(int64_t value);
  static Expression Of(Atom atom);
  static Expression Unknown(Sources sources);
  static Expression UnknownFrom(Sources::Flag flag) {
    return Unknown({static_cast<uint8_t>(flag), {}});
  }

  // Whether the lower word of the value rests on an extension.
  bool HasWordConditions() const { return !conditions.empty() && conditions.back() >= kOfWord; }
  // True for a value that is 0 where its conditions hold, and possibly something else elsewhere.
  bool IsAssumedZero() const { return terms.empty() && !inexact && HasWordConditions(); }
  // True for a constant, which is stored to `value`. False for a constant with word conditions.
  bool IsConstant(int64_t* value) const;
  bool IsConstant(int64_t value) const;
  // True for 1 * atom and nothing else, without word conditions.
  bool IsAtom(Atom::Kind kind, uint16_t* index) const;
  // All parameters from which the value is computed by additions, and its sources.
  Sources AllSources() const;
  // Terms that may be the pointer of an address: a 64-bit parameter with the coefficient 1.
  // Includes the sources.
  Sources Bases() const;
};

// Both operations give up exactness, never correctness, when the result has too many terms.
Expression Sum(const Expression& a, const Expression& b, int64_t factor_of_b = 1);
Expression Product(const Expression& a, const Expression& b);
Expression Scaled(const Expression& a, int64_t factor);
// Returns wide | bits for bits below the largest power of two that divides all coefficients, which
// is their sum. nullopt: there are other bits, or something unknown is added.
std::optional<Expression> WithLowBits(const Expression& wide, int64_t bits);
// The value modulo 2^32, with 64-bit parameters replaced by their lower words. Keeps the conditions
// with kOfWord only.
Expression LowWord(const Expression& wide);
// Return the terms that the values of two executions have in common.
Expression JoinWords(const Expression& a, const Expression& b);
Expression JoinWide(const Expression& a, const Expression& b);
// The value in some thread of the warp.
Expression InSomeThread(const Expression& a);

}  // namespace gpusan::cuda
