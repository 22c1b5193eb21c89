// One instruction of a kernel, decoded from its 128 bits as far as the data flow needs it.
#include "hooks/cuda/machine_code/instruction.h"

#include <bit>
#include <cstring>

namespace gpusan::cuda {
namespace {

enum class File : uint8_t { kV, kU, kVU };
// How many registers an instruction may write.
enum class Results : uint8_t {
  kZero,
  kOne,
  kTwo,
  kFour,
  kEight,
  kSized,       // by the size in bits 73 to 75
  kWide73,      // two if bit 73 is set
  kWide74,      // two if bit 74 is set
  kWide75,      // two if bit 75 is set
  kWide80,      // two if bit 80 is set
  kMoveForm,    // two in form 2, or if bit 80 is set
  kSelectForm,  // two in forms 2 and 3
  kArriveForm,  // two in form 4
  kTexels,  // by the mask in bits 72 to 75: two from the destination on, two from bits 64 to 71 on
  kTwoGroups,     // four from bits 64 to 71 on, and four from the destination on
  kAccumulators,  // of a product by a group of warps: at most four for each eight columns
  kAllAbove,      // all from the destination on
};
enum class Predicates : uint8_t { kNone, kP0, kP01, kAll };

struct Row {
  uint16_t opcode;
  uint8_t first, last;
  const char* mnemonic;
  Operation operation;
  File file;
  Results results;
  Predicates predicates;
};

constexpr Row kRows[] = {
#define GPUSAN_SASS(opcode, first, last, mnemonic, operation, file, results, predicates) \
  {opcode,                                                                               \
   first,                                                                                \
   last,                                                                                 \
   #mnemonic,                                                                            \
   Operation::operation,                                                                 \
   File::file,                                                                           \
   Results::results,                                                                     \
   Predicates::predicates},
#include "hooks/cuda/machine_code/instructions.def"
#undef GPUSAN_SASS
};

constexpr unsigned kOpcodes = 512;

// Up to two rows an opcode: some opcodes changed their meaning.
constexpr std::array<std::array<uint8_t, 2>, kOpcodes> MakeIndex() {
  std::array<std::array<uint8_t, 2>, kOpcodes> index{};
  for (size_t i = 0; i < std::size(kRows); ++i) {
    auto& entry = index[kRows[i].opcode];
    (entry[0] == 0 ? entry[0] : entry[1]) = static_cast<uint8_t>(i + 1);
  }
  return index;
}
constexpr auto kIndex = MakeIndex();
static_assert(std::size(kRows) < 255);

const Row* FindRow(unsigned opcode, unsigned architecture) {
  for (const uint8_t i : kIndex[opcode]) {
    if (i != 0 && kRows[i - 1].first <= architecture && architecture <= kRows[i - 1].last)
      return &kRows[i - 1];
  }
  return nullptr;
}

// The 128 bits of an instruction.
class Bits {
 public:
  explicit Bits(const unsigned char* at) {
    std::memcpy(&low_, at, 8);
    std::memcpy(&high_, at + 8, 8);
  }
  uint32_t Get(unsigned first, unsigned count) const {
    const uint64_t word = first < 64 ? low_ >> first | (first == 0 ? 0 : high_ << (64 - first))
                                     : high_ >> (first - 64);
    return static_cast<uint32_t>(word & ((uint64_t{1} << count) - 1));
  }
  bool Test(unsigned bit) const { return Get(bit, 1) != 0; }
  uint64_t low() const { return low_; }
  uint64_t high() const { return high_; }

 private:
  uint64_t low_, high_;
};

struct Decoder {
  Bits bits;
  const Row& row;
  unsigned architecture;
  Instruction* out;

  bool UniformSources() const { return row.file == File::kU; }
  bool UniformResults() const { return row.file != File::kV; }
  // Blackwell has up to 255 uniform registers, earlier architectures have 63.
  unsigned UniformBits() const { return architecture >= 100 ? 8 : 6; }
  unsigned Form() const { return bits.Get(9, 3); }

  Operand RegisterAt(unsigned bit, bool uniform) const {
    const unsigned count = uniform ? UniformBits() : 8;
    const unsigned number = bits.Get(bit, count);
    Operand operand;
    operand.kind = Operand::Kind::kZero;
    if (number == (1u << count) - 1) return operand;
    operand.kind = Operand::Kind::kRegister;
    operand.reg = {uniform, static_cast<uint8_t>(number)};
    return operand;
  }

  Operand Source(unsigned bit) const { return RegisterAt(bit, UniformSources()); }

  Operand Immediate() const {
    Operand operand;
    operand.kind = Operand::Kind::kImmediate;
    operand.immediate = bits.Get(32, 32);
    return operand;
  }

  Operand Constant() const {
    Operand operand;
    operand.kind = Operand::Kind::kConstant;
    operand.offset = static_cast<uint16_t>(bits.Get(38, 16));
    operand.bank = static_cast<uint8_t>(bits.Get(54, 5));
    operand.unknown = bits.Test(91) && row.operation != Operation::kConstant;
    return operand;
  }

  // The operand that the form puts into bits 32 to 63.
  Operand FormOperand() const {
    switch (Form()) {
      case 2:
      case 4:
        return Immediate();
      case 3:
      case 5:
        return Constant();
      case 6:
      case 7:
        return RegisterAt(32, true);
      default:
        return Source(32);
    }
  }

  void Operands() {
    out->a = Source(24);
    const Operand wide = FormOperand(), narrow = Source(64);
    const unsigned form = Form();
    const bool wide_is_c = form == 2 || form == 3 || form == 7;
    out->b = wide_is_c ? narrow : wide;
    out->c = wide_is_c ? wide : narrow;
    // The selection of 64 bits has forms of its own.
    if (row.results == Results::kSelectForm && form == 2) out->b = wide;
    if (row.results == Results::kSelectForm && form == 3) out->b = Source(32);
  }

  unsigned ResultCount() const {
    switch (row.results) {
      case Results::kZero:
        return 0;
      case Results::kOne:
        return 1;
      case Results::kTwo:
        return 2;
      case Results::kFour:
        return 4;
      case Results::kEight:
        return 8;
      case Results::kSized: {
        const unsigned size = bits.Get(73, 3);
        return size <= 4 ? 1 : 1u << (size - 4);
      }
      case Results::kWide73:
        return bits.Test(73) ? 2 : 1;
      case Results::kWide74:
        return bits.Test(74) ? 2 : 1;
      case Results::kWide75:
        return bits.Test(75) ? 2 : 1;
      case Results::kWide80:
        return bits.Test(80) ? 2 : 1;
      case Results::kMoveForm:
        return Form() == 2 || bits.Test(80) ? 2 : 1;
      case Results::kSelectForm:
        return Form() == 2 || Form() == 3 ? 2 : 1;
      case Results::kArriveForm:
        return Form() == 4 ? 2 : 0;
      case Results::kAccumulators:
        return 4 * (bits.Get(53, 5) + 1);
      case Results::kTexels:
        return static_cast<unsigned>(std::popcount(bits.Get(72, 4)));
      case Results::kTwoGroups:
        return 8;
      case Results::kAllAbove:
        break;
    }
    return 256;
  }

  void ResultsAndPredicates() {
    if (row.results == Results::kTwoGroups) {
      out->result = {false, static_cast<uint8_t>(bits.Get(64, 8))};
      out->other_result = static_cast<uint8_t>(bits.Get(16, 8));
      out->first_results = 4;
      out->result_count = 8;
      return;
    }
    if (row.results == Results::kTexels) {
      out->result = {false, static_cast<uint8_t>(bits.Get(16, 8))};
      out->result_count = ResultCount();
      out->predicates = 1u << bits.Get(81, 3) & 0x7f;
      if (out->result_count <= 2) return;
      out->other_result = static_cast<uint8_t>(bits.Get(64, 8));
      out->first_results = 2;
      return;
    }
    const Operand destination = RegisterAt(16, UniformResults());
    if (destination.kind == Operand::Kind::kRegister) {
      out->result = destination.reg;
      out->result_count = ResultCount();
    }
    out->writes_uniform_predicates = UniformSources();
    if (row.predicates == Predicates::kAll) out->predicates = 0x7f;
    if (row.predicates == Predicates::kP0 || row.predicates == Predicates::kP01) {
      out->predicates |= 1u << bits.Get(81, 3) & 0x7f;
    }
    if (row.predicates == Predicates::kP01) out->predicates |= 1u << bits.Get(84, 3) & 0x7f;
  }

  // The wide operand has its sign in bit 63, unless it is an immediate; A and C have theirs in bits
  // 72 and 75.
  void AdditionSigns() {
    const bool is_immediate = Form() == 2 || Form() == 4;
    const bool wide_is_c = Form() == 2 || Form() == 3 || Form() == 7;
    const bool wide = !is_immediate && bits.Test(63);
    out->a.negated = bits.Test(72);
    out->b.negated = wide_is_c ? false : wide;
    out->c.negated = wide_is_c ? wide : bits.Test(75);
  }

  void Carry() {
    out->with_carry = bits.Test(74);
    out->carry = static_cast<uint8_t>(bits.Get(87, 3));
    out->carry_out = static_cast<uint8_t>(bits.Get(81, 3));
    if (row.operation != Operation::kAdd3) return;
    if (out->with_carry && !bits.Test(80))
      out->second_carry = static_cast<uint8_t>(bits.Get(77, 3));
    out->second_carry_out = static_cast<uint8_t>(bits.Get(84, 3));
  }

  void Add() {
    const bool is_immediate = Form() == 4;
    out->a.negated = bits.Test(72);
    out->b.negated = !is_immediate && bits.Test(63);
    out->c = {};
  }

  void Lea() {
    out->shift = static_cast<uint8_t>(bits.Get(75, 5));
    out->high = bits.Test(80);
    out->sign_extends = bits.Test(73);
    out->a.negated = bits.Test(72);
    out->b.negated = Form() != 4 && bits.Test(63);
    Carry();
    if (!out->high) out->c = {};
  }

  void MultiplyAdd() {
    const bool is_immediate = Form() == 2 || Form() == 4;
    const bool wide_is_c = Form() == 2 || Form() == 3 || Form() == 7;
    const bool wide = !is_immediate && bits.Test(63);
    out->is_signed = bits.Test(73);
    out->a.negated = bits.Test(72);
    out->b.negated = !wide_is_c && wide;
    out->c.negated = wide_is_c ? wide : bits.Test(75);
    Carry();
  }

  void Shift() {
    const unsigned type = bits.Get(73, 2);
    out->is_signed = type == 0 || type == 2;
    out->wide = type < 2;
    out->right = bits.Test(76);
    out->high = bits.Test(80);
  }

  void ConstantLoad() {
    static constexpr uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 16, 32};
    out->b = Constant();
    // LDCU has its offset one bit lower than the others.
    if (row.opcode == 0x1ac) out->b.offset = static_cast<uint16_t>(bits.Get(37, 16));
    const Operand index = RegisterAt(24, UniformSources());
    out->b.indexed = index.kind == Operand::Kind::kRegister && row.opcode != 0x0b9;
    out->b.reg = index.reg;
    // A vector load with a uniform operand, or with an addressing mode, reads another bank.
    out->b.unknown = (row.file == File::kV && bits.Test(91)) || bits.Get(78, 2) != 0;
    out->width = kBytes[bits.Get(73, 3)];
    out->is_signed = bits.Get(73, 3) == 1 || bits.Get(73, 3) == 3;
    out->a = out->c = {};
  }

  // [R.64 + UR + offset]. Since sm_80 the uniform register is the memory descriptor, which is no
  // part of the address.
  void Memory() {
    static constexpr uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 16, 32};
    MemoryOperand& memory = out->memory;
    const Operation operation = row.operation;
    const bool atomic = operation == Operation::kAtomic || operation == Operation::kReduction;
    memory.base = RegisterAt(24, false);
    const uint32_t offset = bits.Get(40, 24);
    memory.offset = static_cast<int32_t>(offset << 8) >> 8;
    memory.width = atomic ? 16 : kBytes[bits.Get(73, 3)];
    memory.known = bits.Test(72) || atomic;
    memory.strong = Strong();
    memory.beyond_device = BeyondDevice();
    // Generic accesses without a uniform register have an offset of 32 bits.
    constexpr unsigned kLoad32 = 0x17e, kStore32 = 0x17f;
    if (row.opcode == kLoad32 || row.opcode == kStore32) return WideOffset(row.opcode == kLoad32);
    const bool generic = row.opcode == 0x180 || row.opcode == 0x185;
    if (generic && !bits.Test(91)) memory.offset = static_cast<int32_t>(bits.Get(32, 32));
    if (operation == Operation::kCopyToShared) {
      memory.known = true;
      memory.width = 16;
      // The bits of the offset belong to the shared side, too.
      memory.offset = 0;
      return;
    }
    if (row.operation == Operation::kAtomic && architecture >= 100) {
      memory.offset = static_cast<int32_t>(offset << 9) >> 9;  // bit 63 is a flag
    }
    const bool uniform_form = Form() >= 4 && bits.Test(91) && architecture < 80;
    if (uniform_form) memory.uniform = RegisterAt(UniformAddressBit(), true);
    if (memory.uniform.kind == Operand::Kind::kZero) memory.uniform.kind = Operand::Kind::kNone;
    if (uniform_form && !atomic) memory.base_is_32_bit = !bits.Test(90);
    if (uniform_form && atomic && memory.base.kind == Operand::Kind::kRegister)
      memory.known = false;
  }

  // The offset of 32 bytes is in units of 32 bytes. The bits above it are 1.
  void WideOffset(bool load) {
    const unsigned count = load ? 17 : 19, above = 24 - count;
    const uint32_t offset = bits.Get(40, count);
    out->memory.width = 32;
    out->memory.offset = static_cast<int32_t>(offset << (32 - count)) >> (32 - count - 5);
    out->memory.known = bits.Test(72) == load && bits.Get(40 + count, above) == (1u << above) - 1;
  }

  // sm_75 has the strength in bits 79 and 80: constant, weak, strong, MMIO. Later architectures
  // have strength and scope in bits 77 to 80: 0 is weak, 4 constant.
  bool Strong() const {
    if (row.operation != Operation::kLoad && row.operation != Operation::kStore) return false;
    if (architecture < 80) return bits.Get(79, 2) >= 2;
    const unsigned strength = bits.Get(77, 4);
    return strength != 0 && strength != 4;
  }

  // The scope: of sm_75 in bits 77 and 78; later, 5 is a block, and 7 the device.
  bool BeyondDevice() const {
    const unsigned strength = bits.Get(77, 4);
    if (architecture < 80) return bits.Get(79, 2) >= 2 && strength != 8 && strength != 10;
    return strength != 0 && strength != 4 && strength != 5 && strength != 7;
  }

  // Stores and atomics have their data in bits 32 to 39, and the uniform register in bits 64 to 69.
  unsigned UniformAddressBit() const { return row.operation == Operation::kLoad ? 32 : 64; }

  // The distance is in words of 4 bytes. Since sm_90 its lowest eight bits are bits 16 to 23,
  // except in BSSY.
  void Target(uint64_t offset) {
    const uint64_t upper = bits.low() >> 34 | bits.high() << 30;
    int64_t words = static_cast<int64_t>(upper << 16) >> 16;
    if (row.operation == Operation::kPush) {
      words = static_cast<int64_t>(upper << 34) >> 34;
    } else if (architecture >= 90) {
      words = words * 256 + bits.Get(16, 8);
    }
    out->target = offset + kInstructionBytes + static_cast<uint64_t>(words) * 4;
  }

  // The object is a constant, or in uniform registers.
  void Texels() {
    constexpr unsigned kByConstant = 5, kByUniform = 7;
    out->a = out->b = out->c = {};
    if (Form() == kByUniform) {
      out->a = RegisterAt(40, true);
    } else if (Form() == kByConstant) {
      out->a = Constant();
      out->a.offset = static_cast<uint16_t>(bits.Get(40, 14) * 4);
      out->a.unknown = false;
    } else {
      out->operation = Operation::kUnknown;
    }
  }

  // Without an operand: its own address. The distance of the other form is seen with one value
  // only: to the instruction after the next one.
  void CodeAddress(uint64_t offset) {
    out->a = out->b = out->c = {};
    out->target = kNoTarget;
    if (Form() == 1) out->target = offset;
    if (Form() == 4 && bits.low() >> 24 == kInstructionBytes && bits.Get(64, 18) == 0)
      out->target = offset + 2 * kInstructionBytes;
  }

  void Control(uint64_t offset) {
    // A call of an address that is relative to a register.
    if (row.operation == Operation::kCall && Form() != 4) out->operation = Operation::kUnknown;
    Target(offset);
    out->barrier = static_cast<uint8_t>(bits.Get(16, 4));
    const bool second = bits.Get(87, 4) != kTruePredicate;
    const bool knows_second =
        row.operation == Operation::kBranch || row.operation == Operation::kExit;
    out->other_condition =
        (second && !knows_second) || (row.operation == Operation::kBranch &&
                                      (bits.Get(32, 2) != 0 || Form() != 4 || bits.Test(91)));
    out->conditional = out->Guarded() || second || out->other_condition;
    if (!knows_second) return;
    out->source = static_cast<uint8_t>(bits.Get(87, 3));
    out->source_negated = bits.Test(90);
  }

  void MinMax() {
    constexpr unsigned kVector = 0x048, kUniformVector = 0x04a;
    const unsigned operation = out->opcode & 0x1ffu;
    const bool vector = operation == kVector || operation == kUniformVector;
    // The vector form also has halves of words, and results that are at least 0.
    out->whole = out->result_count == 1 && (!vector || (bits.Get(73, 2) == 0 && !bits.Test(76)));
    out->is_signed = bits.Test(vector ? 72 : 73);
    out->source = static_cast<uint8_t>(bits.Get(87, 3));
    out->source_negated = bits.Test(90);
  }

  // The conversions with the rounding that divisions need, and no other ones.
  void DivisionStep() {
    constexpr uint32_t kUnsignedUp = 0x2090, kSignedUp = 0x2094, kReciprocal = 0x10,
                       kToUnsigned = 0x21f0;
    const uint32_t form = bits.Get(72, 14);
    const bool plain = !bits.Test(62) && !bits.Test(63);  // no sign or absolute value of a register
    if (Form() != 1 && Form() != 5 && Form() != 6) return;
    if (!plain) return;
    if (row.opcode == 0x106 && (form == kUnsignedUp || form == kSignedUp)) {
      out->division = Division::kToFloat;
      out->is_signed = form == kSignedUp;
    }
    if (row.opcode == 0x108 && form == kReciprocal) out->division = Division::kReciprocal;
    if (row.opcode == 0x105 && form == kToUnsigned) out->division = Division::kToInteger;
  }

  // A copy without a descriptor has both directions.
  void BulkLoad() {
    constexpr unsigned kCopy = 0x1ba;
    if (row.opcode == kCopy && !bits.Test(73)) out->operation = Operation::kBulkStore;
  }

  void Logic() {
    out->table = static_cast<uint8_t>(bits.Get(72, 8));
    out->compared = static_cast<uint8_t>(bits.Get(81, 3));
    // Another predicate can be added to the test.
    out->tests_zero = !bits.Test(80) && bits.Get(87, 4) == (8 | kTruePredicate);
  }

  // The table is in two pieces, and there is a second one for the second result.
  void PredicateLogic() {
    const bool uniform = UniformSources();
    out->table = static_cast<uint8_t>(bits.Get(72, 5) << 3 | bits.Get(64, 3));
    out->compared = static_cast<uint8_t>(bits.Get(81, 3));
    constexpr unsigned kSources[] = {87, 77, 68};
    for (size_t i = 0; i < out->sources.size(); ++i) {
      out->sources[i] = {static_cast<uint8_t>(bits.Get(kSources[i], 3)), bits.Test(kSources[i] + 3),
                         uniform};
    }
    out->sources[2].uniform |= bits.Test(67);
  }

  // Other bits are set for halves of words.
  void AddMinMax() {
    out->whole = bits.Get(73, 2) == 0 && bits.Get(76, 11) == 0;
    out->is_signed = bits.Test(72);
    out->b.negated = bits.Test(75);
    out->source = static_cast<uint8_t>(bits.Get(87, 3));
    out->source_negated = bits.Test(90);
  }

  void Compare() {
    out->relation = static_cast<uint8_t>(bits.Get(76, 3));
    out->is_signed = bits.Test(73);
    const unsigned combination = bits.Get(74, 2);
    out->combination = combination == 0   ? Instruction::Combination::kAnd
                       : combination == 1 ? Instruction::Combination::kOr
                       : combination == 2 ? Instruction::Combination::kXor
                                          : Instruction::Combination::kOther;
    out->source = static_cast<uint8_t>(bits.Get(87, 3));
    out->source_negated = bits.Test(90);
    out->compared = static_cast<uint8_t>(bits.Get(81, 3));
    // Bit 72 continues the comparison of the lower words; since sm_100, bit 80 compares 64 bits.
    const bool alone = bits.Get(84, 3) == kTruePredicate;
    const bool plain = alone && !bits.Test(80);
    out->whole = plain && !bits.Test(72);
    out->pair = alone && bits.Test(80) && !bits.Test(72) && architecture >= 100;
    out->upper = plain && bits.Test(72) && !bits.Test(71);
    out->lower = static_cast<uint8_t>(bits.Get(68, 3));
  }

  void Decode(uint64_t offset) {
    out->operation = row.operation;
    out->mnemonic = row.mnemonic;
    ResultsAndPredicates();
    Operands();
    switch (row.operation) {
      case Operation::kAdd3:
      case Operation::kAdd64:
        AdditionSigns();
        Carry();
        break;
      case Operation::kAdd:
        Add();
        break;
      case Operation::kLea:
        Lea();
        break;
      case Operation::kMultiplyAdd:
      case Operation::kMultiplyAddWide:
      case Operation::kMultiplyAddHigh:
        MultiplyAdd();
        break;
      case Operation::kShift:
        Shift();
        break;
      case Operation::kMinMax:
        MinMax();
        break;
      case Operation::kAddMinMax:
        AddMinMax();
        break;
      case Operation::kLowBits:
        out->is_signed = bits.Test(73);
        break;
      case Operation::kCompare:
      case Operation::kUniformCompare:
        Compare();
        break;
      case Operation::kPredicateLogic:
        PredicateLogic();
        break;
      case Operation::kPermute:
        out->whole = bits.Get(72, 3) == 0;
        break;
      case Operation::kCallAddress:
        if (Form() != 1) out->a.kind = Operand::Kind::kNone;
        break;
      case Operation::kCodeAddress:
        CodeAddress(offset);
        break;
      case Operation::kSelect:
        out->source = static_cast<uint8_t>(bits.Get(87, 3));
        out->source_negated = bits.Test(90);
        break;
      case Operation::kLogic:
        Logic();
        break;
      case Operation::kSpecial:
      case Operation::kClear:
        out->special = static_cast<uint8_t>(bits.Get(72, 8));
        break;
      case Operation::kFence:
        out->beyond_block = bits.Get(76, 3) != 0;  // 0: .CTA, 2: .GPU, 3: .SYS
        out->beyond_device = out->beyond_block && bits.Get(76, 3) != 2;
        break;
      case Operation::kNumber:
        DivisionStep();
        break;
      case Operation::kConstant:
        ConstantLoad();
        break;
      case Operation::kBulkLoad:
        BulkLoad();
        break;
      case Operation::kReadTexels:
      case Operation::kWriteTexels:
        Texels();
        break;
      case Operation::kLoad:
      case Operation::kStore:
      case Operation::kAtomic:
      case Operation::kReduction:
      case Operation::kCopyToShared:
      case Operation::kLoadLocal:
      case Operation::kStoreLocal:
        Memory();
        break;
      case Operation::kBranch:
      case Operation::kCall:
      case Operation::kReturn:
      case Operation::kExit:
      case Operation::kPush:
      case Operation::kSync:
      case Operation::kWarpSync:
      case Operation::kBarrierMove:
        Control(offset);
        break;
      default:
        break;
    }
  }
};

}  // namespace

Instruction Decode(std::span<const unsigned char> code, uint64_t offset, unsigned architecture) {
  const Bits bits(code.data() + offset);
  Instruction instruction;
  instruction.opcode = static_cast<uint16_t>(bits.Get(0, 12));
  instruction.guard = static_cast<uint8_t>(bits.Get(12, 3));
  instruction.guard_negated = bits.Test(15);
  if (const Row* row = FindRow(bits.Get(0, 9), architecture)) {
    Decoder{bits, *row, architecture, &instruction}.Decode(offset);
  }
  return instruction;
}

}  // namespace gpusan::cuda
