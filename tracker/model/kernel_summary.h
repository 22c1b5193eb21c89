// The memory accesses of a kernel, derived from its code: for each parameter the accesses through
// it, their byte ranges as formulas of the launch, and their conditions.
//
// A producer (a reader of LLVM IR, machine code or SPIR-V) writes summaries, and the tracker
// evaluates them at each launch. They travel between processes and through files as text. All types
// are plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan {

// The version of the text and of the meaning of its fields. A text of another version is rejected.
inline constexpr int kSummaryVersion = 9;

// A number that is known at a launch or differs between work items. kGlobalId + d and the like are
// the value for dimension d (0 to 2). kArgument + i is the value of the integer parameter i, or, if
// i is at least the number of parameters, the derived number i minus that number.
enum LaunchSymbol : uint16_t {
  kNoSymbol = 0,
  kGlobalId = 1,  // with the global offset
  kLocalId = 4,
  kGroupId = 7,
  kGlobalSize = 10,
  kLocalSize = 13,
  kGroupCount = 16,
  kGlobalOffset = 19,
  kArgument = 32,
};
// Whether work items of one launch have different values of the symbol.
constexpr bool DiffersByItem(uint16_t symbol) {
  return symbol >= kGlobalId && symbol < kGlobalSize;
}

// A product: a factor and up to three symbols; kNoSymbol fills the rest.
struct SummaryTerm {
  static constexpr int kMaxSymbols = 3;
  int64_t factor = 0;
  uint16_t symbols[kMaxSymbols] = {};

  friend bool operator==(const SummaryTerm&, const SummaryTerm&) = default;
};

// A sum of terms, in whole numbers without wrap-around. Empty: 0.
using SummaryFormula = std::vector<SummaryTerm>;

// The code computes the formula only if all values are in the range of an integer of `bits`
// bits.
struct SummaryFit {
  SummaryFormula value;
  uint8_t bits = 64;
  bool is_signed = true;
};

// A condition on the work item: `value` compared with 0.
struct SummaryGuard {
  enum class Kind : uint8_t { kNegative, kNotPositive, kZero, kNotZero, kPositive, kNotNegative };
  SummaryFormula value;
  Kind kind = Kind::kNegative;
};

// A number that a work item derives from its identifiers.
struct SummaryPart {
  enum class Kind : uint8_t {
    // Some bits of a local identifier: (kLocalId + dimension) >> shift, modulo 2^bits. In a
    // work-group whose size is a multiple of 2^(shift + bits), the part has each value, together
    // with each value of other parts that have no bit in common with it.
    kBits,
    kQuotient,   // of / by
    kRemainder,  // of % by
    kXor,        // of ^ by
  };
  static constexpr uint8_t kAllBits = 64;
  uint8_t dimension = 0;  // kBits: 0 to 2
  uint8_t shift = 0;      // kBits: below 32
  uint8_t bits = 0;       // kBits: 1 to 31. kAllBits: all bits from `shift` on
  Kind kind = Kind::kBits;
  // Not kBits. The part is not known if one of them is negative, or if the divisor is 0. `of` names
  // only earlier parts. `by` names symbols from kGlobalSize on, but no loops and no parts.
  SummaryFormula of, by;

  friend bool operator==(const SummaryPart&, const SummaryPart&) = default;
};

// One access of the code through a parameter.
struct SummaryAccess {
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };  // kAtomic: also volatile accesses
  Kind kind = Kind::kRead;
  // All conditions of the access are in `guards`. If false, the access may also depend on something
  // that is not known.
  bool guarded = false;
  // The access touches `bytes` bytes at `offset` from the parameter. If false, any bytes.
  bool ranged = false;
  uint32_t bytes = 0;
  SummaryFormula offset;
  // kLoop + n (summary_formulas.h) is part n, for the numbers of these parts. Those of kBits have
  // no bits in common, and no formula of the access names their local identifiers in another way.
  std::vector<SummaryPart> parts;
  std::vector<SummaryGuard> guards;  // all must hold
  std::vector<SummaryFit> fits;      // of the guards
  // Conditions of the offset. If only these are false, the work items are known, but not the bytes.
  std::vector<SummaryFit> offset_fits;
};

struct ParameterSummary {
  // If false, nothing is known about accesses through the parameter.
  bool known = false;
  // The size of a parameter that is passed by value [bytes]; 0: not known, or another parameter.
  uint32_t value_bytes = 0;
  std::vector<SummaryAccess> accesses;
};

// A number that the code computes from two numbers that are known at a launch. It is not known if
// an operand or the result is not in the range of an integer of `bits` bits.
struct DerivedNumber {
  enum class Kind : uint8_t {
    kQuotient,   // rounded towards 0
    kRemainder,  // of kQuotient
    kFloor,      // the quotient rounded down; `right` is positive
    kBoth,       // the bits that are set in both
    kEither,     // the bits that are set in one of them, but not in both
    kMinimum,
    kMaximum,
    kShifted,     // `left` times 2 to the power of `right`
    kPowerOfTwo,  // `left` if it is a power of two, and not known otherwise
    kBelow,       // 1 if `left` is less than `right`, and 0 otherwise
    kEqual,       // 1 if both are equal, and 0 otherwise
    kWhen,        // 0 if `left` is 0, also if `right` is not known, and `right` otherwise
    // The integer of `bits` bits at byte `right` of `left`, a value of up to 8 bytes or an argument
    // (FieldOf).
    kField,
  };
  static constexpr Kind kLastKind = Kind::kField;
  Kind kind = Kind::kQuotient;
  uint8_t bits = 64;
  bool is_signed = true;
  // Name symbols from kGlobalSize on, but no loops. Name only earlier derived numbers.
  SummaryFormula left, right;

  friend bool operator==(const DerivedNumber&, const DerivedNumber&) = default;
};

// Local memory that the code declares. There may be more accesses.
struct LocalArraySummary {
  std::string name;  // in the code; without blanks
  uint64_t bytes = 0;
  std::vector<SummaryAccess> accesses;  // the offset is that in the array
};

// Fields of arguments passed by value are known up to this byte.
inline constexpr uint32_t kMaxFieldEnd = 256;

// An integer in an argument that is passed by value.
struct ArgumentField {
  uint32_t argument = 0;
  uint32_t begin = 0, end = 0;  // [bytes]; `end` is at most kMaxFieldEnd
};
// Returns the field that the number is. std::nullopt: it is none.
std::optional<ArgumentField> FieldOf(const DerivedNumber& number);

struct KernelSummary {
  std::string name;
  std::vector<ParameterSummary> parameters;
  std::vector<LocalArraySummary> local_arrays;
  std::vector<DerivedNumber> derived;
};

// The kernels of a program as text, without line breaks inside of a kernel.
std::string EncodeSummaries(const std::vector<KernelSummary>& kernels);

// Reads a text of EncodeSummaries. The text may come from a damaged or hostile file: sizes are
// bounded. Returns false if it is not complete and well-formed; then *kernels is empty.
bool DecodeSummaries(std::string_view text, std::vector<KernelSummary>* kernels);

}  // namespace gpusan
