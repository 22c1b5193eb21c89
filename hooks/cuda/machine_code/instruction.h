// One instruction of a kernel, decoded from its 128 bits as far as the data flow needs it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace gpusan::cuda {

enum class Operation : uint8_t {
  kUnknown,          // no row in instructions.def: may do anything
  kNothing,          // writes no general register
  kFence,            // orders memory
  kNumber,           // the results are computed from no pointer
  kOpaque,           // the results are an unknown function of the sources
  kAbsolute,         // the absolute value of B
  kFetch,            // the results come from shared memory
  kMove,             // B
  kSelect,           // A or B
  kMinMax,           // the smaller of A and B where `source` holds, else the larger one
  kAddMinMax,        // the smaller of A + B and C where `source` holds, else the larger one
  kHalfMove,         // the immediate C, if A and B are zero; else a number
  kToUniform,        // A of some thread of the warp
  kClear,            // zero, or a special register
  kSpecial,          // a special register
  kConstant,         // from a constant bank
  kAdd3,             // A + B + C
  kAdd,              // A + B; of 64 bits if there are two results
  kAdd64,            // A + B + C, of 64 bits
  kLea,              // (A << shift) + B, or the upper half of it
  kLogic,            // a function of the bits of A, B and C
  kLowBits,          // the lower B bits of A, extended to a word
  kPermute,          // bytes of A and C, chosen by B
  kShift,            // C:A shifted by B
  kMultiplyAdd,      // A * B + C
  kMultiplyAddWide,  // A * B + C, of 64 bits
  kMultiplyAddHigh,  // the upper word of A * B + C, where C has 64 bits
  kLoad,             // from global or generic memory
  kStore,
  kAtomic,
  kReduction,      // an atomic without a result
  kCopyToShared,   // reads global memory
  kMulticastLoad,  // reads global memory of several devices; its address is not decoded
  // Bulk and tensor copies between global and shared memory. Their addresses are not decoded.
  kBulkLoad,
  kBulkStore,
  kBulkReduction,
  // Through the texture or surface object A. The coordinates are not decoded.
  kReadTexels,
  kWriteTexels,
  kLoadLocal,
  kStoreLocal,
  kBranch,
  kTableBranch,  // to an address from A and a table (CubinKernel::table_branches)
  kCall,
  kCallAddress,  // calls the function whose address A holds
  kCodeAddress,  // the address of an instruction: `target`
  kReturn,
  kExit,
  kPush,            // names where a later kSync continues
  kSync,            // continues where the last kPush of the same barrier said
  kBarrierMove,     // writes a barrier from a register
  kWarpSync,        // may name a second continuation
  kCompare,         // writes no general register; the predicate has the result of the comparison
  kUniformCompare,  // the same for uniform registers and predicates
  kPredicateLogic,  // a function of three predicates
};

// The steps in which compilers divide integers, in their order. The divisor becomes a number with a
// fraction, the scale is added to its reciprocal, and the sum becomes an integer.
enum class Division : uint8_t { kNone, kToFloat, kReciprocal, kScale, kToInteger };
constexpr uint32_t kDivisionScale = 0xffffffe;

// A predicate as an operand.
struct PredicateOperand {
  uint8_t number = 7;  // 7: true
  bool negated = false;
  bool uniform = false;
};

// A general register. RZ and URZ are no registers: operands with them are the constant 0.
struct Register {
  bool uniform = false;
  uint8_t number = 0;
  bool operator==(const Register&) const = default;
};

struct Operand {
  enum class Kind : uint8_t { kNone, kZero, kRegister, kImmediate, kConstant };
  Kind kind = Kind::kNone;
  bool negated = false;  // minus; the complement in the upper half of an addition
  bool unknown = false;  // the operand is read through a descriptor or an index: it may be anything
  Register reg;
  uint32_t immediate = 0;
  uint8_t bank = 0;      // of kConstant
  uint16_t offset = 0;   // of kConstant, in bytes
  bool indexed = false;  // of kConstant: `reg` is added to the offset
  bool operator==(const Operand&) const = default;
};

// The address [base + uniform + offset] of a memory instruction.
struct MemoryOperand {
  bool known = false;           // false: a form of address that the decoder does not know
  Operand base;                 // 64 bits from a pair of registers; kZero: none
  Operand uniform;              // 64 bits from a pair of uniform registers; kNone: none
  bool base_is_32_bit = false;  // the base is one unsigned register
  int32_t offset = 0;           // bytes
  uint8_t width = 0;            // bytes that one thread accesses
  // A volatile access, or a load or store with an order or a scope (.STRONG, .MMIO).
  bool strong = false;
  // An atomic, volatile or ordered access that the host and other devices may see in order.
  bool beyond_device = false;
};

constexpr uint8_t kTruePredicate = 7;

struct Instruction {
  Operation operation = Operation::kUnknown;
  const char* mnemonic = "?";
  uint16_t opcode = 0;  // bits 0 to 11
  // It executes in some threads only, if this is not kTruePredicate (or the predicate is negated).
  uint8_t guard = kTruePredicate;
  bool guard_negated = false;

  Register result;            // the first register that it writes
  unsigned result_count = 0;  // 0: writes no general register
  // If not 0, only the first `first_results` results begin at `result`. The others begin at
  // register `other_result`.
  uint8_t first_results = 0;
  uint8_t other_result = 0;
  // The predicates that it may write, as bits; of uniform predicates if writes_uniform_predicates.
  uint8_t predicates = 0;
  bool writes_uniform_predicates = false;

  Operand a, b, c;
  MemoryOperand memory;
  uint64_t target = 0;  // of branches and kCodeAddress: byte offset in the code

  uint8_t shift = 0;               // of kLea
  bool high = false;               // of kLea and kShift: the upper half
  bool with_carry = false;         // adds the carry predicates (.X)
  uint8_t carry = kTruePredicate;  // the predicate that holds the carry
  uint8_t carry_out = kTruePredicate;
  // The sum of three words has a second carry.
  uint8_t second_carry = kTruePredicate;
  uint8_t second_carry_out = kTruePredicate;
  bool is_signed = false;     // of kMultiplyAddWide, kShift, kLowBits, kMinMax, and conversions
  bool sign_extends = false;  // of kLea: C is the sign of A (.SX32)
  bool right = false;         // of kShift
  bool wide = false;          // of kShift: of 64 bits
  uint8_t table = 0;          // of kLogic and kPredicateLogic
  Division division = Division::kNone;  // of conversions and reciprocals
  bool tests_zero = false;              // of kLogic: `compared` is whether the result is not 0
  uint8_t special = 0;                  // number of the special register
  uint8_t width = 4;                    // of kConstant: bytes; with a sign if is_signed
  uint8_t barrier = 0;        // of kPush, kSync and kBarrierMove: number of the convergence barrier
  bool beyond_block = false;  // of kFence: for threads of other blocks too
  bool beyond_device = false;    // of kFence: for the host and other devices too
  bool conditional = false;      // of branches and exits: guarded, or with another condition
  bool other_condition = false;  // of branches and exits: with a condition that is not decoded
  // kCompare: 1 for less, 2 for equal, 4 for greater, and sums of them. The result is combined with
  // `source`, a predicate that may be negated. The result of a kSelect is A if `source` is true. A
  // branch or exit is taken only if `source` is true.
  uint8_t relation = 0;
  enum class Combination : uint8_t { kAnd, kOr, kXor, kOther };
  Combination combination = Combination::kOther;
  uint8_t source = kTruePredicate;
  bool source_negated = false;
  uint8_t compared = kTruePredicate;  // the predicate that holds the result
  // Compares single words of 32 bits; also for kMinMax and kAddMinMax. kPermute: B selects each
  // byte.
  bool whole = false;
  bool pair = false;  // compares single values of 64 bits
  // Compares the upper words of 64 bits; `lower` is the predicate of the comparison of the lower
  // words.
  bool upper = false;
  uint8_t lower = kTruePredicate;
  std::array<PredicateOperand, 3> sources;  // of kPredicateLogic

  // The number of the register of a result; 255 and above: none.
  unsigned ResultNumber(unsigned at) const {
    return first_results == 0 || at < first_results ? result.number + at
                                                    : other_result + (at - first_results);
  }
  // The same, where the uniform registers follow from 256 on.
  unsigned ResultIndex(unsigned at) const {
    return ResultNumber(at) + (result.uniform ? 256u : 0u);
  }
  bool Guarded() const { return guard != kTruePredicate || guard_negated; }
  // Whether the instruction accesses global or generic memory, or texels.
  bool Accesses() const {
    return operation == Operation::kLoad || operation == Operation::kStore ||
           operation == Operation::kAtomic || operation == Operation::kReduction ||
           operation == Operation::kCopyToShared || operation == Operation::kMulticastLoad ||
           operation == Operation::kBulkLoad || operation == Operation::kBulkStore ||
           operation == Operation::kBulkReduction || OfTexels();
  }
  bool OfTexels() const {
    return operation == Operation::kReadTexels || operation == Operation::kWriteTexels;
  }
  // As Accesses, and not by a read alone.
  bool Changes() const {
    return operation == Operation::kStore || operation == Operation::kAtomic ||
           operation == Operation::kReduction || operation == Operation::kBulkStore ||
           operation == Operation::kBulkReduction || operation == Operation::kWriteTexels;
  }
};

constexpr unsigned kInstructionBytes = 16;

// The offsets in constant bank 0 of the sizes of the block and of the grid: x, y, z, 4 bytes each.
struct LaunchConstants {
  unsigned block_size, grid_size;
};
constexpr LaunchConstants LaunchConstantsOf(unsigned architecture) {
  return architecture >= 100 ? LaunchConstants{0x360, 0x370} : LaunchConstants{0x0, 0xc};
}
constexpr uint64_t kNoTarget = UINT64_MAX;  // a target that is not known

// Decodes the instruction at byte `offset` of `code`, which has at least 16 bytes from there on.
// `architecture`: 90 for sm_90.
Instruction Decode(std::span<const unsigned char> code, uint64_t offset, unsigned architecture);

}  // namespace gpusan::cuda
