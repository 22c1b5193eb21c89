// The content of the registers of a kernel, by a fixed point over its basic blocks.
#include "hooks/cuda/machine_code/data_flow.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpusan::cuda {
namespace {

// Limits after which a kernel stays unknown.
constexpr uint64_t kStepsOfAnInstruction = 24;
constexpr uint64_t kFreeSteps = 50'000;
constexpr uint64_t kRegistersOfAStep = 64;
constexpr size_t kMaxValues = 1 << 17;
// Registers of all block entries together.
constexpr size_t kMaxEntries = size_t{1} << 24;
// The loops of larger kernels are not followed: the further runs of the fixed point take too long.
constexpr size_t kMaxInstructionsWithLoops = 8192;

// Bits of a guard beside the number of its predicate.
constexpr uint8_t kNegatedGuard = 8, kUniformGuard = 16;

// The relation of b and a, if `relation` is that of a and b.
uint8_t Mirrored(uint8_t relation) {
  return static_cast<uint8_t>((relation & 2) | (relation & 1) << 2 | relation >> 2);
}

unsigned IndexOf(Register reg) { return reg.number + (reg.uniform ? 256u : 0u); }

}  // namespace

DataFlow::DataFlow(const CubinKernel& kernel, const ControlFlow& flow)
    : kernel_(kernel), flow_(flow) {
  relocated_.assign(flow.instructions.size(), false);
  for (const CodeRelocation& relocation : kernel.relocations) {
    const uint64_t index = relocation.offset / kInstructionBytes;
    if (index < relocated_.size()) relocated_[index] = true;
  }
}

const char* DataFlow::Run() {
  for (const Block& block : flow_.blocks) {
    if (!block.reachable) continue;
    for (uint32_t i = block.first; i < block.end; ++i) {
      failure_offset_ = i * kInstructionBytes;
      if (flow_.instructions[i].operation == Operation::kUnknown) return "an unknown instruction";
      if (relocated_[i] && flow_.instructions[i].memory.known) return "a relocated memory access";
    }
  }
  failure_offset_ = 0;
  if (flow_.blocks.size() * std::tuple_size_v < RegisterFile >> kMaxEntries)
    return "too many basic blocks";
  FindUsedRegisters();
  if (flow_.instructions.size() > kMaxInstructionsWithLoops) {
    counters_.IgnoreLoopsOf(flow_.blocks);
  } else {
    counters_.FindLoopsOf(flow_.blocks, BlockConditions(flow_.blocks));
  }
  const char* failure = Solve();
  if (failure != nullptr || counters_.Empty()) return failure;
  return counters_.SolveAgain([this] { return Solve(); });
}

// The fixed point. Returns nullptr, or why it was not reached.
const char* DataFlow::Solve() {
  entry_.assign(flow_.blocks.size(), {});
  endless_.assign(flow_.blocks.size(), false);
  std::vector<bool> visited(flow_.blocks.size());
  std::set<std::pair<uint32_t, uint32_t>> work{{flow_.blocks[0].order, 0}};
  uint64_t steps = 0;
  const uint64_t limit = kFreeSteps + kStepsOfAnInstruction * flow_.instructions.size();
  while (!work.empty()) {
    const uint32_t number = work.begin()->second;
    work.erase(work.begin());
    visited[number] = true;
    const Block& block = flow_.blocks[number];
    // A join costs as much as some instructions.
    steps += block.end - block.first + block.successors.size() * used_.size() / kRegistersOfAStep;
    if (steps > limit || table_.size() > kMaxValues) return "too many steps";
    RunBlock(number, nullptr);
    if (const char* failure = CallDriver(number)) return failure;
    if (endless_[number]) continue;
    for (const uint32_t next : block.successors) {
      const bool changed = JoinInto(number, next);
      if (changed || !visited[next]) work.insert({flow_.blocks[next].order, next});
    }
  }
  return nullptr;
}

bool DataFlow::ReturnsToCallers() {
  return std::all_of(flow_.returns.begin(), flow_.returns.end(), [this](uint32_t number) {
    const Block& block = flow_.blocks[number];
    if (!block.reachable) return true;
    RunBlock(number, nullptr);
    const uint32_t to = flow_.blocks[block.successors[0]].first;
    return PairOf(flow_.instructions[block.end - 1].a).IsConstant(int64_t{to} * kInstructionBytes);
  });
}

std::vector<uint32_t> DataFlow::EndlessCalls() const {
  std::vector<uint32_t> blocks;
  for (uint32_t i = 0; i < endless_.size(); ++i) {
    if (endless_[i]) blocks.push_back(i);
  }
  return blocks;
}

// The function whose address the module holds in constant bank 4, if nothing else can be called.
DataFlow::DriverFunction DataFlow::CalledFunction(const Instruction& call) {
  if (call.a.kind != Operand::Kind::kRegister) return DriverFunction::kUnknown;
  const Expression callee = PairOf(call.a);
  const Sources& from = callee.sources;
  if (!callee.terms.empty() || from.flags != Sources::kGlobals || !from.slots.empty() ||
      from.module_word == Sources::kAnyWord)
    return DriverFunction::kUnknown;
  const std::string_view name = kernel_.DriverFunctionAt(from.module_word);
  if (name == "__assertfail") return DriverFunction::kFail;
  return name == "vprintf" ? DriverFunction::kPrint : DriverFunction::kUnknown;
}

// The effect of the call of an address at the end of the block that ran last. The ABI returns
// through R20 and R21, and the callee may write the lower registers; the others are either kept, or
// the compiler reads them no more.
const char* DataFlow::CallDriver(uint32_t block) {
  const uint32_t end = flow_.blocks[block].end;
  const Instruction& call = flow_.instructions[end - 1];
  if (call.operation != Operation::kCallAddress) return nullptr;
  constexpr uint8_t kReturnRegister = 20, kScratchRegisters = 16;
  failure_offset_ = (end - 1) * kInstructionBytes;
  switch (CalledFunction(call)) {
    case DriverFunction::kUnknown:
      return "a call of an unknown function";
    case DriverFunction::kFail:
      endless_[block] = !call.Guarded();
      break;
    case DriverFunction::kPrint: {
      Operand to;
      to.kind = Operand::Kind::kRegister;
      to.reg.number = kReturnRegister;
      if (!PairOf(to).IsConstant(int64_t{end} * kInstructionBytes))
        return "a call that returns elsewhere";
      calls_readers_ = true;
      const ValueTable::Id result = table_.Intern(Value::UnknownFrom(Sources::kMemory));
      for (unsigned i = 0; i < kScratchRegisters; ++i)
        registers_[i] = call.Guarded() ? table_.JoinIds(registers_[i], result) : result;
      break;
    }
  }
  failure_offset_ = 0;
  return nullptr;
}

void DataFlow::FindUsedRegisters() {
  std::vector<bool> used(std::tuple_size_v<RegisterFile>);
  for (const Instruction& instruction : flow_.instructions) {
    // A function of the driver writes scratch registers.
    if (instruction.operation == Operation::kCallAddress) std::fill_n(used.begin(), 16, true);
    for (unsigned i = 0; i < instruction.result_count; ++i) {
      if (instruction.ResultNumber(i) < 255) used[instruction.ResultIndex(i)] = true;
    }
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) used_.push_back(static_cast<uint16_t>(i));
  }
}

// Joins the registers into the entry of the block. Returns whether the entry changed.
bool DataFlow::JoinInto(uint32_t from, uint32_t block) {
  RegisterFile& entry = entry_[block];
  const LoopCounters::Edge edge = counters_.EdgeOf(from, block);
  bool changed = false;
  for (const uint16_t i : used_) {
    const ValueTable::Id value = counters_.Behind(edge, registers_[i]);
    if (counters_.Join(edge, i, value, &entry[i], &changed)) continue;
    if (entry[i] == value) continue;
    const ValueTable::Id joined = table_.JoinIds(entry[i], value);
    changed |= joined != entry[i];
    entry[i] = joined;
  }
  return changed;
}

void DataFlow::VisitAccesses(const Visit& visit) {
  FindBlockConditions();
  uses_parameters_.assign(flow_.blocks.size(), false);
  changes_parameters_ = uses_parameters_;
  for (uint32_t i = 0; i < flow_.blocks.size(); ++i) {
    if (flow_.blocks[i].reachable) RunBlock(i, &visit);
  }
}

// Carries do not outlive a block.
void DataFlow::RunBlock(uint32_t number, const Visit* visit) {
  const Block& block = flow_.blocks[number];
  registers_ = entry_[number];
  if (conditions_.has_value()) predicates_ = entry_predicates_[number];
  lowers_ = {};
  carries_ = {};
  conditionals_.clear();
  for (uint32_t i = block.first; i < block.end; ++i) {
    current_ = &flow_.instructions[i];
    if (visit != nullptr && current_->Accesses()) {
      Conditions all = conditions_->Of(number);
      if (current_->Guarded()) all.Add(PredicateAt(current_->guard, current_->guard_negated));
      Expression address = AddressOf(flow_.instructions[i]);
      const Sources bases = address.Bases();
      if (!bases.slots.empty() || (bases.flags & Sources::kParameters) != 0) {
        uses_parameters_[number] = true;
        if (current_->Changes()) changes_parameters_[number] = true;
      }
      bounds_.Bound(number, &address, &all);
      (*visit)(i, address, all);
    }
    Advance(i);
  }
}

// Executes an instruction, and finds the conditions that the predicates have after it.
void DataFlow::Advance(uint32_t index) {
  if (!conditions_.has_value()) return Execute(index);
  Condition compared = Compared(*current_);
  LowerWords lower = LowerWordsOf(*current_);
  Execute(index);
  if (current_->writes_uniform_predicates) return;
  for (unsigned p = 0; p < predicates_.size(); ++p) {
    if ((current_->predicates >> p & 1) == 0) continue;
    predicates_[p] = {};
    lowers_[p] = {};
  }
  if (compared.known) predicates_[current_->compared] = std::move(compared);
  if (lower.relation != 0) lowers_[current_->compared] = std::move(lower);
}

Condition DataFlow::PredicateAt(uint8_t predicate, bool negated) const {
  const Condition condition =
      predicate == kTruePredicate ? Condition::Always() : predicates_[predicate];
  return negated ? condition.Negated() : condition;
}

// The condition that the predicate of a comparison has.
Condition DataFlow::Compared(const Instruction& instruction) {
  if (instruction.operation != Operation::kCompare || instruction.Guarded() ||
      instruction.compared == kTruePredicate || instruction.relation == 0 ||
      instruction.relation == 7)
    return {};
  Value a = ValueOf(instruction.a), b = ValueOf(instruction.b);
  if (instruction.pair) {
    a = Value::Word(WideOf(a, UpperValueOf(instruction.a)));
    b = Value::Word(WideOf(b, UpperValueOf(instruction.b)));
  } else if (instruction.upper) {
    if (instruction.lower == kTruePredicate) return {};
    LowerWords lower = lowers_[instruction.lower];
    // The compiler may write a <= b for the lower words, and b >= a for the upper ones.
    if (lower.relation != instruction.relation) {
      lower.relation = Mirrored(lower.relation);
      std::swap(lower.a, lower.b);
    }
    if (lower.relation != instruction.relation) return {};
    a = Value::Word(WideOf(lower.a, a));
    b = Value::Word(WideOf(lower.b, b));
  } else if (!instruction.whole) {
    return {};
  }
  if (a.shape != Value::Shape::kWord || b.shape != Value::Shape::kWord || a.expression.inexact ||
      b.expression.inexact)
    return {};
  // The numbers of the relations are those of the instruction, less one.
  Condition own = Condition::Always();
  own.guards.push_back({static_cast<AccessGuard::Relation>(instruction.relation - 1),
                        instruction.is_signed, instruction.upper || instruction.pair, a.expression,
                        b.expression});
  if (on_path_) {
    opaque_.Simplify(&own.guards[0]);
    if (const std::optional<bool> holds = Decide(own))
      own = *holds ? Condition::Always() : Condition::Always().Negated();
  }
  const Condition source = PredicateAt(instruction.source, instruction.source_negated);
  switch (instruction.combination) {
    case Instruction::Combination::kAnd:
      return Both(own, source);
    case Instruction::Combination::kOr:
      return Either(own, source);
    case Instruction::Combination::kXor:
    case Instruction::Combination::kOther:
      break;
  }
  return {};
}

// The comparison of lower words must be alone: unsigned, without a guard or another predicate.
DataFlow::LowerWords DataFlow::LowerWordsOf(const Instruction& instruction) const {
  if (instruction.operation != Operation::kCompare || !instruction.whole || instruction.Guarded() ||
      instruction.is_signed || instruction.compared == kTruePredicate ||
      instruction.relation == 0 || instruction.relation == 7 ||
      instruction.combination != Instruction::Combination::kAnd ||
      instruction.source != kTruePredicate || instruction.source_negated)
    return {};
  return {instruction.relation, ValueOf(instruction.a), ValueOf(instruction.b)};
}

// Finds the conditions of each block's predicates, and which threads execute it.
void DataFlow::FindBlockConditions() {
  const size_t count = flow_.blocks.size();
  conditions_.emplace(flow_.blocks);
  conditions_->SetLoops(counters_.HeadersOfBlocks());
  entry_predicates_.assign(count, {});
  // The conditions of the predicates at the end of each block.
  std::vector<Predicates> ends(count);
  std::vector<bool> done(count);
  for (const uint32_t number : conditions_->order()) {
    Predicates& predicates = entry_predicates_[number];
    bool first = true;
    for (const uint32_t from : conditions_->PredecessorsOf(number)) {
      if (first) predicates = ends[from];
      first = false;
      for (size_t p = 0; p < predicates.size(); ++p) {
        if (!done[from] || !(predicates[p] == ends[from][p])) predicates[p] = {};
      }
    }
    for (Condition& predicate : predicates) bounds_.ForgetOtherLoops(&predicate, number);
    conditions_->Enter(number);
    conditions_->Forget(
        number, [&](const AccessGuard& guard) { return bounds_.NamesOtherLoop(guard, number); });
    RunBlock(number, nullptr);
    ends[number] = predicates_;
    done[number] = true;
    for (const uint32_t next : flow_.blocks[number].successors) {
      Condition condition = EdgeCondition(number, next);
      bounds_.ForgetOtherLoops(&condition, next);
      conditions_->SetEdge(number, next, std::move(condition));
    }
  }
  bounds_.Find(flow_.blocks, *conditions_);
}

// When a thread that leaves `from` goes to `to`, by the predicates at the end of `from`.
Condition DataFlow::EdgeCondition(uint32_t from, uint32_t to) const {
  const Block& block = flow_.blocks[from];
  const Instruction& last = flow_.instructions[block.end - 1];
  if (last.other_condition) return {};
  const bool leaves = last.operation == Operation::kBranch || last.operation == Operation::kExit;
  Condition taken = PredicateAt(last.guard, last.guard_negated);
  if (leaves) taken = Both(taken, PredicateAt(last.source, last.source_negated));
  if (block.successors.size() == 1) {
    if (!last.conditional && !last.Guarded()) return Condition::Always();
    if (last.operation == Operation::kBranch) return Condition::Always();
    return last.operation == Operation::kExit ? taken.Negated() : Condition();
  }
  if (last.operation != Operation::kBranch || block.successors.size() != 2) return {};
  const bool jumps = uint64_t{flow_.blocks[to].first} * kInstructionBytes == last.target;
  return jumps ? taken : taken.Negated();
}

uint8_t DataFlow::GuardOf(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction.guard | (instruction.guard_negated ? kNegatedGuard : 0) |
                              (instruction.writes_uniform_predicates ? kUniformGuard : 0));
}

ValueTable::Id* DataFlow::FindConditional(unsigned reg, uint8_t guard) {
  for (Conditional& one : conditionals_) {
    if (one.reg == reg && one.guard == guard) return &one.value;
  }
  return nullptr;
}

void DataFlow::DropConditionals(unsigned reg, uint8_t kept_guard, uint8_t other_kept_guard) {
  std::erase_if(conditionals_, [&](const Conditional& one) {
    return one.reg == reg && one.guard != kept_guard && one.guard != other_kept_guard;
  });
}

// A guarded instruction may leave the old value. Two instructions with opposite guards leave
// nothing of it.
void DataFlow::Write(const Instruction& instruction, unsigned at, Value value) {
  if (at >= instruction.result_count || instruction.ResultNumber(at) >= 255) return;
  const unsigned index = instruction.ResultIndex(at);
  const ValueTable::Id id = Opaque(table_.Intern(std::move(value)));
  if (!instruction.Guarded()) {
    DropConditionals(index, kTruePredicate, kTruePredicate);
    registers_[index] = id;
    return;
  }
  const uint8_t guard = GuardOf(instruction), opposite = guard ^ kNegatedGuard;
  DropConditionals(index, guard, opposite);
  const ValueTable::Id* otherwise = FindConditional(index, opposite);
  const ValueTable::Id before = otherwise != nullptr ? *otherwise : registers_[index];
  registers_[index] = table_.JoinIds(before, id);
  registers_[index] = table_[before].IsConstant(0) ? OpaqueUnless(instruction, registers_[index])
                                                   : Opaque(registers_[index]);
  if (ValueTable::Id* own = FindConditional(index, guard)) {
    *own = id;
  } else {
    conditionals_.push_back({static_cast<uint16_t>(index), guard, id});
  }
}

void DataFlow::WriteAll(const Instruction& instruction, const Value& value) {
  for (unsigned i = 0; i < instruction.result_count; ++i) Write(instruction, i, value);
}

void DataFlow::WritePair(const Instruction& instruction, const Expression& wide) {
  Write(instruction, 0, LowHalf(wide));
  Write(instruction, 1, Value::High(wide));
}

void DataFlow::KillPredicates(const Instruction& instruction) {
  if (instruction.predicates == 0) return;
  const uint8_t uniform = instruction.writes_uniform_predicates ? kUniformGuard : 0;
  for (unsigned i = 0; i < 7; ++i) {
    if (instruction.predicates >> i & 1) carries_[i + (uniform != 0 ? 8 : 0)] = {};
  }
  const auto is_killed = [&](uint8_t guard) {
    return (guard & kUniformGuard) == uniform && (instruction.predicates >> (guard & 7) & 1) != 0;
  };
  for (Carry& carry : carries_) {
    if (is_killed(carry.guard)) carry = {};
  }
  std::erase_if(conditionals_, [&](const Conditional& one) { return is_killed(one.guard); });
}

// The carry of a guarded addition is known to instructions with the same guard only.
const DataFlow::Carry* DataFlow::CarryOf(const Instruction& instruction, uint8_t predicate) const {
  if (predicate == kTruePredicate) return nullptr;
  const Carry& carry = carries_[predicate + (instruction.writes_uniform_predicates ? 8u : 0u)];
  const bool unguarded = (carry.guard & ~kUniformGuard) == kTruePredicate;
  return unguarded || carry.guard == GuardOf(instruction) ? &carry : nullptr;
}

void DataFlow::SetCarry(const Instruction& instruction, Carry carry) {
  const bool changes_guard =
      instruction.Guarded() && (instruction.predicates >> instruction.guard & 1) != 0;
  if (instruction.carry_out == kTruePredicate || changes_guard) return;
  carries_[instruction.carry_out + (instruction.writes_uniform_predicates ? 8u : 0u)] =
      std::move(carry);
}

// A guarded instruction reads what an earlier one with the same guard wrote.
Value DataFlow::ValueOfRegister(Register reg) const {
  const unsigned index = IndexOf(reg);
  if (current_->Guarded()) {
    for (const Conditional& one : conditionals_) {
      if (one.reg == index && one.guard == GuardOf(*current_)) return table_[one.value];
    }
  }
  return table_[registers_[index]];
}

Value DataFlow::ValueOf(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::kNone:
    case Operand::Kind::kZero:
      break;
    case Operand::Kind::kRegister:
      return ValueOfRegister(operand.reg);
    case Operand::Kind::kImmediate:
      return Value::Constant(operand.immediate);
    case Operand::Kind::kConstant:
      return ValueOfConstant(operand, 0);
  }
  return Value::Constant(0);
}

// The upper word of an operand of 64 bits. Immediates are sign-extended.
Value DataFlow::UpperValueOf(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::kNone:
    case Operand::Kind::kZero:
      break;
    case Operand::Kind::kRegister: {
      Register upper = operand.reg;
      ++upper.number;
      return ValueOfRegister(upper);
    }
    case Operand::Kind::kImmediate:
      return Value::Constant(static_cast<int32_t>(operand.immediate) < 0 ? UINT32_MAX : 0);
    case Operand::Kind::kConstant:
      return ValueOfConstant(operand, 1);
  }
  return Value::Constant(0);
}

Expression DataFlow::PairOf(const Operand& operand) {
  return Combine(ValueOf(operand), UpperValueOf(operand), &extensions_);
}

// Word `at` of a constant.
Value DataFlow::ValueOfConstant(const Operand& operand, unsigned at) const {
  if (operand.unknown) return Value::Unknown({Sources::kMemory | Sources::kParameters, {}});
  switch (operand.bank) {
    case 0:
      if (operand.indexed) return ValueOfIndexedBank0(operand, at);
      return ValueOfBank0(operand.offset + at * 4);
    case 2:  // literals of the compiler
      return Value::Unknown({});
    case 4:
      return ValueOfModuleWord(operand, at);
    default:
      return Value::UnknownFrom(Sources::kMemory);
  }
}

Value DataFlow::ValueOfModuleWord(const Operand& operand, unsigned at) const {
  int64_t index = 0;
  Value value = Value::UnknownFrom(Sources::kGlobals);
  if (operand.indexed) {
    const Value own = ValueOfRegister(operand.reg);
    if (own.shape != Value::Shape::kWord || !own.expression.IsConstant(&index)) return value;
  }
  const int64_t offset = operand.offset + at * 4 + index;
  if (offset >= 0 && offset < Sources::kAnyWord)
    value.expression.sources.module_word = static_cast<uint32_t>(offset) & ~7u;
  return value;
}

Value DataFlow::ValueOfIndexedBank0(const Operand& operand, unsigned at) const {
  const Value index = ValueOfRegister(operand.reg);
  int64_t known = 0;
  if (index.shape == Value::Shape::kWord && index.expression.IsConstant(&known)) {
    const int64_t offset = operand.offset + known + at * 4;
    if (offset >= kernel_.parameter_base &&
        offset < int64_t{kernel_.parameter_base} + kernel_.parameter_bytes)
      return ValueOfBank0(static_cast<unsigned>(offset));
  }
  return Value::UnknownFrom(Sources::kParameters);
}

Value DataFlow::ValueOfBank0(unsigned offset) const {
  if (offset >= kernel_.parameter_base &&
      offset - kernel_.parameter_base < kernel_.parameter_bytes) {
    const uint16_t in_block = static_cast<uint16_t>(offset - kernel_.parameter_base);
    if (in_block % 4 == 0) return Value::Word(Expression::Of({Atom::Kind::kParameter32, in_block}));
    return Value::UnknownFrom(Sources::kParameters);
  }
  const LaunchConstants launch = LaunchConstantsOf(kernel_.architecture);
  for (const auto& [kind, start] : {std::pair{Atom::Kind::kBlockSize, launch.block_size},
                                    std::pair{Atom::Kind::kGridSize, launch.grid_size}}) {
    if (offset >= start && offset < start + 12 && (offset - start) % 4 == 0) {
      return Value::Word(Expression::Of({kind, static_cast<uint16_t>((offset - start) / 4)}));
    }
  }
  return Value::UnknownFrom(Sources::kDriver);
}

// The lower word of the object selects it.
Expression DataFlow::ObjectOf(const Instruction& instruction) {
  const Value low = ValueOf(instruction.a);
  if (low.shape != Value::Shape::kWord) return Expression::UnknownFrom(Sources::kMemory);
  for (unsigned at = 0; at + 8 <= kernel_.parameter_bytes; at += 8) {
    const Value word = ValueOfBank0(kernel_.parameter_base + at);
    if (word.shape == Value::Shape::kWord && word.expression == low.expression)
      return Combine(word, ValueOfBank0(kernel_.parameter_base + at + 4), &extensions_);
  }
  return Expression::UnknownFrom(Sources::kMemory);
}

Expression DataFlow::AddressOf(const Instruction& instruction) {
  if (instruction.OfTexels()) return ObjectOf(instruction);
  const MemoryOperand& memory = instruction.memory;
  if (!memory.known) return Expression::UnknownFrom(Sources::kMemory);
  Expression address =
      memory.base_is_32_bit ? extensions_.Extend(ValueOf(memory.base), false) : PairOf(memory.base);
  if (memory.uniform.kind != Operand::Kind::kNone) address = Sum(address, PairOf(memory.uniform));
  return Sum(address, Expression::Constant(memory.offset));
}

Sources DataFlow::SourcesOf(const Instruction& instruction) const {
  Sources sources;
  for (const Operand* operand : {&instruction.a, &instruction.b, &instruction.c})
    sources.Add(ValueOf(*operand).AllSources());
  return sources;
}

}  // namespace gpusan::cuda
