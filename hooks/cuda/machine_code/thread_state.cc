// The registers and predicates of one thread, and what instructions do to them.
#include "hooks/cuda/machine_code/thread_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gpusan::cuda {
namespace {

bool IsOnePointer(uint16_t pointer) { return pointer != 0 && pointer != Word::kSeveral; }

uint64_t Wide(const WordPair& pair) { return uint64_t{pair[1].bits} << 32 | pair[0].bits; }

bool IsZero(const WordPair& pair) { return pair[0].IsFixed(0) && pair[1].IsFixed(0); }

Word SpecialRegister(const Instruction& instruction) {
  constexpr uint8_t kLaneId = 0x00, kThreadX = 0x21, kBlockX = 0x25, kZeroRegister = 0xff;
  const uint8_t number = instruction.special;
  const bool index = (number >= kThreadX && number < kThreadX + 3) ||
                     (number >= kBlockX && number < kBlockX + 3) ||
                     (number == kLaneId && instruction.operation == Operation::kSpecial);
  if (number == kZeroRegister || (index && instruction.result_count == 1)) return Word::Of(0);
  return {};
}

}  // namespace

ThreadState::ThreadState(const CubinKernel& kernel, const ThreadInput& input)
    : kernel_(kernel), input_(input) {
  barriers_.fill(kNoTarget);
  read_.assign(input.parameters.size() / 4 + 1, false);
}

std::vector<uint32_t> ThreadState::words() const {
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < read_.size(); ++i) {
    if (read_[i]) words.push_back(i);
  }
  return words;
}

// --- operands

Flag ThreadState::FlagOf(uint8_t number, bool uniform) const {
  return number == kTruePredicate ? Flag::Of(true) : flags_[number % 8u + (uniform ? 8u : 0u)];
}

Flag ThreadState::GuardOf(const Instruction& instruction) const {
  return Negated(FlagOf(instruction.guard, instruction.writes_uniform_predicates),
                 instruction.guard_negated);
}

Flag ThreadState::SourceOf(const Instruction& instruction) const {
  return Negated(FlagOf(instruction.source, instruction.writes_uniform_predicates),
                 instruction.source_negated);
}

Flag ThreadState::Leaves(const Instruction& last) const {
  return last.other_condition ? Flag() : And(GuardOf(last), SourceOf(last));
}

std::optional<uint64_t> ThreadState::AddressIn(const Operand& operand) const {
  const WordPair pair = PairIn(operand);
  if (!pair[0].known || !pair[1].known) return std::nullopt;
  return Wide(pair);
}

Word ThreadState::WordIn(const Register& reg, unsigned at) const {
  const unsigned number = reg.number + at;
  return number >= 255 ? Word() : registers_[number + (reg.uniform ? 256u : 0u)];
}

// The upper word of an immediate is its sign.
Word ThreadState::WordOf(const Operand& operand, unsigned at) const {
  switch (operand.kind) {
    case Operand::Kind::kNone:
    case Operand::Kind::kZero:
      break;
    case Operand::Kind::kRegister:
      return WordIn(operand.reg, at);
    case Operand::Kind::kImmediate:
      return at == 0 ? Word::Of(operand.immediate) : SignOf(Word::Of(operand.immediate));
    case Operand::Kind::kConstant:
      return ConstantOf(operand, at * 4, 4, false);
  }
  return Word::Of(0);
}

Word ThreadState::ConstantOf(const Operand& operand, uint32_t at, unsigned bytes,
                             bool is_signed) const {
  if (operand.unknown || operand.bank != 0) return {};
  uint64_t offset = uint64_t{operand.offset} + at;
  if (operand.indexed) {
    const Word index = WordIn(operand.reg, 0);
    if (!index.IsFixed()) return {};
    offset = static_cast<uint32_t>(offset + index.bits);
  }
  const LaunchConstants launch = LaunchConstantsOf(kernel_.architecture);
  for (unsigned d = 0; d < 3 && bytes == 4; ++d) {
    if (offset == launch.block_size + 4 * d) return Word::Of(input_.block_size[d]);
    if (offset == launch.grid_size + 4 * d) return Word::Of(input_.grid_size[d]);
  }
  if (offset < kernel_.parameter_base) return {};
  return ParameterAt(offset - kernel_.parameter_base, bytes, is_signed);
}

Word ThreadState::ParameterAt(uint64_t offset, unsigned bytes, bool is_signed) const {
  const size_t size = input_.parameters.size();
  if (offset >= size || bytes > size - offset) return {};
  read_[offset / 4] = read_[(offset + bytes - 1) / 4] = true;
  uint32_t bits = 0;
  std::memcpy(&bits, input_.parameters.data() + offset, bytes);
  Word word = Word::Of(is_signed ? SignExtended(bits, bytes * 8) : bits);
  // The last pointer that begins at most there.
  const auto behind = std::upper_bound(input_.pointers.begin(), input_.pointers.end(), offset + 3);
  if (behind == input_.pointers.begin()) return word;
  const uint32_t begin = *std::prev(behind);
  if (offset >= uint64_t{begin} + 8) return word;
  if (bytes != 4 || (offset != begin && offset != uint64_t{begin} + 4)) return {};
  word.pointer = static_cast<uint16_t>(behind - input_.pointers.begin());
  word.varying = offset == begin ? static_cast<uint32_t>(~ThreadInput::kPointerBits) : UINT32_MAX;
  return word;
}

// --- results

void ThreadState::Set(const Instruction& instruction, unsigned at, const Word& word) {
  const unsigned number = instruction.ResultNumber(at);
  if (at >= instruction.result_count || number >= 255) return;
  registers_[number + (instruction.result.uniform ? 256u : 0u)] = word;
}

void ThreadState::SetFlag(const Instruction& instruction, uint8_t number, const Flag& flag) {
  if (number == kTruePredicate) return;
  flags_[number % 8u + (instruction.writes_uniform_predicates ? 8u : 0u)] = flag;
}

// The sum of three words has two carries. Which of them is set first does not matter: instructions
// add both.
void ThreadState::SetCarries(const Instruction& instruction, const Results& results) {
  const uint64_t carry = *results.carry;
  const bool two = instruction.second_carry_out != kTruePredicate;
  if (carry > (two ? 2u : 1u)) return;
  SetFlag(instruction, instruction.carry_out, {true, carry >= 1, results.carry_varies, 0});
  SetFlag(instruction, instruction.second_carry_out, {true, carry >= 2, results.carry_varies, 0});
}

void ThreadState::Forget(const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.result_count; ++i) Set(instruction, i, {});
  for (uint8_t i = 0; i < kTruePredicate; ++i) {
    if ((instruction.predicates >> i & 1) != 0) SetFlag(instruction, i, {});
  }
  if (instruction.operation == Operation::kPush || instruction.operation == Operation::kBarrierMove)
    barriers_[instruction.barrier % barriers_.size()] = kNoTarget;
}

// --- instructions

void ThreadState::Execute(const Instruction& instruction) {
  if (instruction.operation == Operation::kConstant) return LoadConstant(instruction);
  // A result may be an operand.
  const Results results = Compute(instruction);
  Forget(instruction);
  if (instruction.operation == Operation::kPush)
    barriers_[instruction.barrier % barriers_.size()] = instruction.target;
  Set(instruction, 0, results.words[0]);
  Set(instruction, 1, results.words[1]);
  SetFlag(instruction, results.predicate, results.flag);
  if (results.carry) SetCarries(instruction, results);
}

void ThreadState::LoadConstant(const Instruction& instruction) {
  std::array<Word, 8> words{};
  const unsigned count = std::min(instruction.result_count, static_cast<unsigned>(words.size()));
  for (unsigned i = 0; i < count; ++i) {
    words[i] = ConstantOf(instruction.b, i * 4, std::min<unsigned>(instruction.width, 4),
                          instruction.is_signed);
  }
  Forget(instruction);
  for (unsigned i = 0; i < count; ++i) Set(instruction, i, words[i]);
}

ThreadState::Results ThreadState::Compute(const Instruction& instruction) const {
  const Operand &a = instruction.a, &b = instruction.b, &c = instruction.c;
  Results results;
  Word& result = results.words[0];
  if (instruction.division != Division::kNone) {
    const Word word = ValueOf(b);
    const bool negative = instruction.is_signed && (word.bits >> 31) != 0;
    if (!negative) result = Divide(instruction.division, word);
    return results;
  }
  switch (instruction.operation) {
    case Operation::kMove:
      // The immediate of a move of 64 bits is not decoded.
      if (instruction.result_count <= 1 || b.kind != Operand::Kind::kImmediate)
        results.words = PairIn(b);
      break;
    case Operation::kSelect:
      results.words = Select(instruction);
      break;
    case Operation::kMinMax:
      result = MinMax(instruction, ValueOf(a), ValueOf(b));
      break;
    case Operation::kHalfMove:
      if (c.kind == Operand::Kind::kImmediate && a.kind == Operand::Kind::kZero &&
          b.kind == Operand::Kind::kZero)
        result = ValueOf(c);
      break;
    case Operation::kAddMinMax:
      result = AddMinMax(instruction);
      break;
    case Operation::kAbsolute:
      result = Absolute(ValueOf(b));
      break;
    case Operation::kCodeAddress:
      if (instruction.target != kNoTarget) results.words = PairOf(instruction.target);
      break;
    case Operation::kToUniform:
      if (instruction.predicates == 0) result = ValueOf(a);
      break;
    case Operation::kClear:
    case Operation::kSpecial:
      result = results.words[1] = SpecialRegister(instruction);
      break;
    case Operation::kAdd3:
      AddWords(instruction, &results);
      break;
    case Operation::kAdd:
    case Operation::kAdd64:
      if (instruction.result_count > 1) {
        results.words = AddPairs(instruction);
      } else {
        AddWords(instruction, &results);
        results.carry.reset();
      }
      break;
    case Operation::kLea:
      Lea(instruction, &results);
      break;
    case Operation::kLogic:
      result = LookUp(instruction.table, ValueOf(a), ValueOf(b), ValueOf(c));
      if (!instruction.tests_zero || !result.known) break;
      results.predicate = instruction.compared;
      results.flag = {true, result.bits != 0, result.varying != 0, 0};
      break;
    case Operation::kLowBits:
      result = ExtendBits(ValueOf(a), ValueOf(b), instruction.is_signed);
      break;
    case Operation::kPermute:
      if (instruction.whole) result = SelectBytes(ValueOf(a), ValueOf(b), ValueOf(c));
      break;
    case Operation::kShift:
      result = ShiftPair(instruction, {ValueOf(a), ValueOf(c)}, ValueOf(b));
      break;
    case Operation::kMultiplyAdd:
      result = MultiplyAdd(instruction);
      break;
    case Operation::kMultiplyAddWide:
      results.words = MultiplyAddWide(instruction);
      break;
    case Operation::kMultiplyAddHigh:
      result = MultiplyAddHigh(instruction);
      break;
    case Operation::kCompare:
    case Operation::kUniformCompare:
      results.flag = Compare(instruction);
      results.predicate = instruction.compared;
      break;
    case Operation::kPredicateLogic:
      results.flag = PredicateLogic(instruction);
      results.predicate = instruction.compared;
      break;
    default:
      break;
  }
  return results;
}

// Numbers with fractions can have a sign here that is not decoded.
WordPair ThreadState::Select(const Instruction& instruction) const {
  constexpr uint16_t kFloat = 0x008, kUniformFloat = 0x051, kOpcodeBits = 0x1ff;
  const uint16_t opcode = instruction.opcode & kOpcodeBits;
  const Flag first = SourceOf(instruction);
  if (opcode == kFloat || opcode == kUniformFloat || !first.IsFixed()) return {};
  const Operand& chosen = first.value ? instruction.a : instruction.b;
  if (instruction.result_count <= 1) return {ValueOf(chosen)};
  // The upper word of an immediate is known only if it is 0 with and without an extended sign.
  if (chosen.kind == Operand::Kind::kImmediate && chosen.immediate >> 31 != 0) return {};
  return PairIn(chosen);
}

Word ThreadState::AddMinMax(const Instruction& instruction) const {
  WordSum sum;
  sum.Add(ValueOf(instruction.a), false, false);
  sum.Add(ValueOf(instruction.b), instruction.b.negated, false);
  return MinMax(instruction, sum.word(), ValueOf(instruction.c));
}

Word ThreadState::MinMax(const Instruction& instruction, const Word& a, const Word& b) const {
  const Flag smaller = SourceOf(instruction);
  if (!instruction.whole || !smaller.IsFixed() || !a.IsFixed() || !b.IsFixed()) return {};
  const bool less = Order(a.bits, b.bits, instruction.is_signed, 32) == 1;
  return less == smaller.value ? a : b;
}

void ThreadState::AddWords(const Instruction& instruction, Results* results) const {
  const Word a = ValueOf(instruction.a), b = ValueOf(instruction.b), c = ValueOf(instruction.c);
  if (b.IsFixed(kDivisionScale) && c.IsFixed(0) && a.division == Division::kReciprocal) {
    results->words[0] = Divide(Division::kScale, a);
    return;
  }
  WordSum sum;
  sum.Add(a, instruction.a.negated, instruction.with_carry);
  sum.Add(b, instruction.b.negated, instruction.with_carry);
  sum.Add(c, instruction.c.negated, instruction.with_carry);
  if (instruction.with_carry) {
    for (const uint8_t carry : {instruction.carry, instruction.second_carry}) {
      // kTruePredicate is the operand !PT here.
      if (carry != kTruePredicate)
        sum.AddCarry(FlagOf(carry, instruction.writes_uniform_predicates));
    }
  }
  results->words[0] = sum.word();
  if (!results->words[0].known || instruction.with_carry) return;
  results->carry = sum.carry();
  results->carry_varies = results->words[0].varying != 0;
}

WordPair ThreadState::AddPairs(const Instruction& instruction) const {
  PairSum sum;
  for (const Operand* operand : {&instruction.a, &instruction.b, &instruction.c})
    sum.Add(PairIn(*operand), operand->negated);
  return sum.pair();
}

// The upper half is that of the shifted pair, or of the pair of A and its sign.
void ThreadState::Lea(const Instruction& instruction, Results* results) const {
  const Word index = ValueOf(instruction.a);
  WordPair pair = {index, Word::Of(0)};
  if (instruction.high) {
    if (instruction.a.negated) return;
    pair[1] = instruction.sign_extends ? SignOf(index) : ValueOf(instruction.c);
  }
  Word shifted = index;
  if (instruction.high || instruction.shift != 0) {
    Instruction shift;
    shift.high = instruction.high;
    shifted = ShiftPair(shift, pair, Word::Of(instruction.shift));
  }
  WordSum sum;
  sum.Add(shifted, instruction.a.negated, false);
  sum.Add(ValueOf(instruction.b), instruction.b.negated,
          instruction.high && instruction.with_carry);
  if (instruction.with_carry && instruction.carry != kTruePredicate)
    sum.AddCarry(FlagOf(instruction.carry, instruction.writes_uniform_predicates));
  results->words[0] = sum.word();
  if (!results->words[0].known || instruction.with_carry) return;
  results->carry = sum.carry();
  results->carry_varies = results->words[0].varying != 0;
}

Word ThreadState::MultiplyAdd(const Instruction& instruction) const {
  WordSum sum;
  sum.Add(Multiply(ValueOf(instruction.a), ValueOf(instruction.b), false)[0],
          instruction.a.negated != instruction.b.negated, false);
  sum.Add(ValueOf(instruction.c), instruction.c.negated, instruction.with_carry);
  if (instruction.with_carry && instruction.carry != kTruePredicate)
    sum.AddCarry(FlagOf(instruction.carry, instruction.writes_uniform_predicates));
  return sum.word();
}

WordPair ThreadState::MultiplyAddWide(const Instruction& instruction) const {
  if (instruction.with_carry || instruction.c.kind == Operand::Kind::kImmediate) return {};
  PairSum sum;
  sum.Add(Multiply(ValueOf(instruction.a), ValueOf(instruction.b), instruction.is_signed),
          instruction.a.negated != instruction.b.negated);
  sum.Add(PairIn(instruction.c), instruction.c.negated);
  return sum.pair();
}

Word ThreadState::MultiplyAddHigh(const Instruction& instruction) const {
  if (instruction.a.negated || instruction.b.negated || instruction.c.negated) return {};
  Word upper = MultiplyAddWide(instruction)[1];
  if (upper.pointer != 0) upper.pointer = Word::kSeveral;
  return upper;
}

Flag ThreadState::PredicateLogic(const Instruction& instruction) const {
  bool varying = false;
  unsigned row = 0;
  for (const PredicateOperand& source : instruction.sources) {
    const Flag flag = Negated(FlagOf(source.number, source.uniform), source.negated);
    if (!flag.known) return {};
    varying |= flag.varying;
    row = row << 1 | (flag.value ? 1 : 0);
  }
  return {true, (instruction.table >> row & 1) != 0, varying, 0};
}

// The comparison of a pointer with 0 has the same result for each value of the pointer but 0.
Flag ThreadState::Compare(const Instruction& instruction) const {
  if (!instruction.whole && !instruction.upper && !instruction.pair) return {};
  WordPair a = PairIn(instruction.a), b = PairIn(instruction.b);
  if (!instruction.pair) a[1] = b[1] = Word::Of(0);
  for (const Word& word : {a[0], a[1], b[0], b[1]}) {
    if (!word.known) return {};
  }
  const unsigned order = Order(Wide(a), Wide(b), instruction.is_signed, instruction.pair ? 64 : 32);
  Flag own = Flag::Of((instruction.relation & order) != 0);
  own.varying = (a[0].varying | a[1].varying | b[0].varying | b[1].varying) != 0;
  constexpr uint8_t kEqual = 2, kNotEqual = 5;
  uint16_t zero_of = 0;
  if (instruction.relation == kEqual || instruction.relation == kNotEqual)
    zero_of = IsZero(b) ? a[0].pointer : IsZero(a) ? b[0].pointer : uint16_t{0};
  if (!IsOnePointer(zero_of)) zero_of = 0;
  if (instruction.whole) {
    own.zero_of = zero_of;
  } else if (instruction.pair) {
    if (zero_of != 0 && (a[1].pointer | b[1].pointer) == zero_of) own.varying = false;
  } else {
    const Flag lower = FlagOf(instruction.lower, instruction.writes_uniform_predicates);
    if (!lower.known) return {};
    if (order == 2) own.value = lower.value;
    own.varying = (own.varying || lower.varying) && (zero_of == 0 || lower.zero_of != zero_of);
  }
  const Flag source = SourceOf(instruction);
  switch (instruction.combination) {
    case Instruction::Combination::kAnd:
      return And(own, source);
    case Instruction::Combination::kOr:
      return Or(own, source);
    case Instruction::Combination::kXor:
      return Xor(own, source);
    case Instruction::Combination::kOther:
      break;
  }
  return {};
}

// --- accesses

std::optional<ThreadAccess> ThreadState::AccessOf(const Instruction& instruction) const {
  const MemoryOperand& memory = instruction.memory;
  const bool to_shared = instruction.operation == Operation::kCopyToShared;
  const bool write = instruction.operation == Operation::kStore;
  if (!memory.known || memory.strong ||
      (!write && !to_shared && instruction.operation != Operation::kLoad))
    return std::nullopt;
  PairSum sum;
  WordPair base = PairIn(memory.base);
  if (memory.base_is_32_bit) base[1] = Word::Of(0);
  sum.Add(base, false);
  if (memory.uniform.kind != Operand::Kind::kNone) sum.Add(PairIn(memory.uniform), false);
  const WordPair address = sum.pair();
  const uint16_t pointer = address[1].pointer;
  if (!address[1].known || !IsOnePointer(pointer) || address[0].pointer != pointer)
    return std::nullopt;
  ThreadAccess access;
  access.pointer = pointer - 1u;
  access.write = write;
  uint64_t begin = 0;
  std::memcpy(&begin, input_.parameters.data() + input_.pointers[access.pointer], sizeof(begin));
  access.offset =
      static_cast<int64_t>(Wide(address) + static_cast<uint64_t>(int64_t{memory.offset}) - begin);
  // The width and the offset of an asynchronous copy are not decoded.
  access.bytes = to_shared ? uint8_t{0} : memory.width;
  return access;
}

}  // namespace gpusan::cuda
