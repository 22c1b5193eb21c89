// The content of the registers of a PTX kernel.
#include "hooks/cuda/ptx/data_flow.h"

#include <algorithm>

namespace gpusan::cuda {
namespace {

// Limits after which a kernel stays unknown.
constexpr unsigned kMaxRounds = 24;
constexpr size_t kMaxValues = 1 << 17;
constexpr size_t kMaxBlocks = 1 << 14;
// Registers of all block entries together.
constexpr size_t kMaxEntries = size_t{1} << 20;
// The loops of larger kernels are not followed: the further runs of the fixed point take too long.
constexpr size_t kMaxInstructionsWithLoops = 8192;

bool IsMemory(PtxOperation operation) {
  return operation == PtxOperation::kLoad || operation == PtxOperation::kStore ||
         operation == PtxOperation::kAtomic || operation == PtxOperation::kReduction ||
         operation == PtxOperation::kCopyToShared;
}

bool IsOfTexels(PtxOperation operation) {
  return operation == PtxOperation::kReadTexels || operation == PtxOperation::kWriteTexels;
}

// The address of global memory: of an asynchronous copy the second one. The texture or surface
// object of an access to texels.
const PtxOperand* AddressOperand(const PtxInstruction& instruction, PtxOperation operation) {
  bool skip = operation == PtxOperation::kCopyToShared;
  for (const PtxOperand& operand : instruction.operands) {
    if (operand.kind != PtxOperand::Kind::kAddress) continue;
    if (!skip) return &operand;
    skip = false;
  }
  return nullptr;
}

}  // namespace

PtxDataFlow::PtxDataFlow(const PtxModule& module, const PtxKernel& kernel)
    : module_(module), kernel_(kernel) {
  opcodes_.reserve(kernel.instructions.size());
  for (const PtxInstruction& instruction : kernel.instructions) {
    PtxOpcode& opcode = opcodes_.emplace_back(ReadPtxOpcode(instruction.opcode));
    if (opcode.head == "call") ReadCall(instruction, &opcode);
  }
}

// Calls of two functions of the driver are understood: no thread returns from a failed assertion,
// and printf may read the texts that its arguments point to.
void PtxDataFlow::ReadCall(const PtxInstruction& call, PtxOpcode* opcode) {
  for (const PtxOperand& operand : call.operands) {
    if (operand.kind != PtxOperand::Kind::kName) continue;
    if (operand.name == "__assertfail") opcode->operation = PtxOperation::kEnd;
    if (operand.name != "vprintf") return;
    opcode->operation = PtxOperation::kNothing;
    calls_readers_ = true;
    return;
  }
}

const char* PtxDataFlow::CheckInstructions() {
  for (const Block& block : blocks_) {
    if (!block.reachable) continue;
    for (uint32_t i = block.first; i < block.end; ++i) {
      const PtxOpcode& opcode = opcodes_[i];
      failure_offset_ = kernel_.instructions[i].offset;
      if (opcode.operation == PtxOperation::kUnknown) return "an unknown instruction";
      if (IsOfTexels(opcode.operation)) {
        const PtxOperand* object = AddressOperand(kernel_.instructions[i], opcode.operation);
        if (object == nullptr || !object->has_register) return "a texture or surface by name";
        continue;
      }
      if (!IsMemory(opcode.operation)) continue;
      const PtxOperand* address = AddressOperand(kernel_.instructions[i], opcode.operation);
      if (address == nullptr || (opcode.bits < 8 && opcode.head != "cp")) {
        return "a memory access that is not understood";
      }
    }
  }
  failure_offset_ = 0;
  return nullptr;
}

bool PtxDataFlow::EndsBlock(uint32_t index) const {
  const PtxOperation operation = opcodes_[index].operation;
  return operation == PtxOperation::kBranch || operation == PtxOperation::kEnd;
}

// UINT32_MAX: not known.
uint32_t PtxDataFlow::TargetOf(const PtxInstruction& branch) const {
  if (branch.operands.size() != 1) return UINT32_MAX;
  const auto found = kernel_.labels.find(branch.operands[0].name);
  return found != kernel_.labels.end() ? found->second : UINT32_MAX;
}

const char* PtxDataFlow::CutBlocks() {
  const auto count = static_cast<uint32_t>(kernel_.instructions.size());
  if (count == 0) return "no code";
  std::vector<bool> starts(count + 1);
  starts[0] = true;
  for (const auto& [name, index] : kernel_.labels) starts[index] = true;
  for (uint32_t i = 0; i < count; ++i) starts[i + 1] = starts[i + 1] || EndsBlock(i);
  block_of_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (starts[i]) blocks_.emplace_back().first = i;
    blocks_.back().end = i + 1;
    block_of_[i] = static_cast<uint32_t>(blocks_.size() - 1);
  }
  if (blocks_.size() > kMaxBlocks) return "too many basic blocks";
  for (Block& block : blocks_) {
    const PtxInstruction& last = kernel_.instructions[block.end - 1];
    const PtxOperation operation = opcodes_[block.end - 1].operation;
    const bool guarded = last.guard != kNoPtxRegister;
    block.ends = operation == PtxOperation::kEnd;
    if (operation == PtxOperation::kBranch) {
      const uint32_t target = TargetOf(last);
      failure_offset_ = last.offset;
      if (target >= count) return "a branch that is not understood";
      block.successors.push_back(block_of_[target]);
    }
    const bool falls = guarded || (!block.ends && operation != PtxOperation::kBranch);
    if (!falls) continue;
    if (block.end == count) {
      block.ends = true;
    } else if (block.successors.empty() || block.successors[0] != block_of_[block.end]) {
      block.successors.push_back(block_of_[block.end]);
    }
  }
  failure_offset_ = 0;
  OrderBlocks(&blocks_);
  return nullptr;
}

const char* PtxDataFlow::Run() {
  if (const char* failure = CutBlocks()) return failure;
  if (const char* failure = CheckInstructions()) return failure;
  const size_t registers = kernel_.register_bits.size();
  locals_.assign(registers, {});
  conditions_of_.assign(registers, {});
  condition_block_.assign(registers, UINT32_MAX);
  conditions_.emplace(blocks_);
  CountWriters();
  if (kernel_.instructions.size() > kMaxInstructionsWithLoops) {
    counters_.IgnoreLoopsOf(blocks_);
  } else {
    counters_.FindLoopsOf(blocks_, *conditions_);
  }
  if (const char* failure = Solve()) return failure;
  plain_values_ = values_;
  return counters_.Empty() ? nullptr : counters_.SolveAgain([this] { return Solve(); });
}

void PtxDataFlow::CountWriters() {
  const size_t registers = kernel_.register_bits.size();
  writers_.assign(registers, 0);
  writer_block_.assign(registers, UINT32_MAX);
  for (const uint32_t number : conditions_->order()) {
    const auto count = [&](const PtxOperand& to) {
      if (to.kind != PtxOperand::Kind::kRegister) return;
      ++writers_[to.reg];
      writer_block_[to.reg] = number;
    };
    for (uint32_t i = blocks_[number].first; i < blocks_[number].end; ++i) {
      // Counts sources, too: such a register only loses precision.
      const PtxInstruction& instruction = kernel_.instructions[i];
      if (instruction.operands.empty()) continue;
      count(instruction.operands[0]);
      for (const PtxOperand& part : instruction.operands[0].parts) count(part);
    }
  }
  for (uint32_t reg = 0; reg < registers; ++reg) {
    if (writers_[reg] > 1) joined_.push_back(reg);
  }
  if (joined_.size() * blocks_.size() > kMaxEntries) joined_.clear();
  entry_index_.assign(registers, kNoEntry);
  for (uint32_t i = 0; i < joined_.size(); ++i) entry_index_[joined_[i]] = i;
}

// The fixed point. Returns nullptr, or why it was not reached.
const char* PtxDataFlow::Solve() {
  values_.assign(kernel_.register_bits.size(), ValueTable::kUndefined);
  entry_.assign(blocks_.size(), std::vector<Id>(joined_.size(), ValueTable::kUndefined));
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    changed_ = false;
    for (Local& local : locals_) local.block = UINT32_MAX;
    for (const uint32_t number : conditions_->order()) {
      RunBlock(number, nullptr);
      for (const uint32_t next : blocks_[number].successors) changed_ |= JoinInto(number, next);
    }
    if (table_.size() > kMaxValues) break;
    if (!changed_) return nullptr;
  }
  return "too many steps";
}

// Joins the registers after `from`, which has run last, into the entry of `block`. Returns whether
// the entry changed.
bool PtxDataFlow::JoinInto(uint32_t from, uint32_t block) {
  if (joined_.empty()) return false;
  std::vector<Id>& entry = entry_[block];
  const LoopCounters::Edge edge = counters_.EdgeOf(from, block);
  bool changed = false;
  for (uint32_t i = 0; i < joined_.size(); ++i) {
    const Id value = counters_.Behind(edge, IdOf(joined_[i]));
    if (counters_.Join(edge, joined_[i], value, &entry[i], &changed)) continue;
    const Id joined = table_.JoinIds(entry[i], value);
    changed |= joined != entry[i];
    entry[i] = joined;
  }
  return changed;
}

// Finds the conditions of predicates, and which threads execute each block.
void PtxDataFlow::FindBlockConditions() {
  conditions_->SetLoops(counters_.HeadersOfBlocks());
  for (const uint32_t number : conditions_->order()) {
    conditions_->Enter(number);
    conditions_->Forget(
        number, [&](const AccessGuard& guard) { return bounds_.NamesOtherLoop(guard, number); });
    RunBlock(number, nullptr);
    for (const uint32_t next : blocks_[number].successors) {
      Condition condition = EdgeCondition(number, next);
      bounds_.ForgetOtherLoops(&condition, next);
      conditions_->SetEdge(number, next, std::move(condition));
    }
  }
  bounds_.Find(blocks_, *conditions_);
}

void PtxDataFlow::VisitAccesses(const Visit& visit) {
  with_conditions_ = true;
  for (Local& local : locals_) local.block = UINT32_MAX;
  uses_parameters_.assign(blocks_.size(), false);
  changes_parameters_ = uses_parameters_;
  FindBlockConditions();
  for (Local& local : locals_) local.block = UINT32_MAX;
  conditions_of_.assign(conditions_of_.size(), {});
  for (const uint32_t number : conditions_->order()) {
    const Visit with_all = [&](uint32_t index, const Expression& address, const Conditions& own,
                               bool always) {
      const Sources bases = address.Bases();
      if (!bases.slots.empty() || (bases.flags & Sources::kParameters) != 0) {
        uses_parameters_[number] = true;
        if (Changes(index)) changes_parameters_[number] = true;
      }
      Conditions all = conditions_->Of(number);
      for (const AccessGuard& guard : own.guards) all.Add({true, false, {guard}});
      all.complete = all.complete && own.complete;
      Expression bounded = address;
      bounds_.Bound(number, &bounded, &all);
      visit(index, bounded, all, always && all.loops.empty());
    };
    RunBlock(number, &with_all);
  }
}

bool PtxDataFlow::Changes(uint32_t index) const {
  const PtxOperation operation = opcodes_[index].operation;
  return operation == PtxOperation::kStore || operation == PtxOperation::kAtomic ||
         operation == PtxOperation::kReduction || operation == PtxOperation::kWriteTexels;
}

bool PtxDataFlow::Accesses(uint32_t index) const {
  const PtxOpcode& opcode = opcodes_[index];
  if (IsOfTexels(opcode.operation)) return true;
  if (!IsMemory(opcode.operation)) return false;
  if (opcode.head == "cp") return true;
  const PtxSpace space =
      SpaceOfAccess(opcode, *AddressOperand(kernel_.instructions[index], opcode.operation));
  return space == PtxSpace::kGlobal || space == PtxSpace::kUnknown;
}

Expression PtxDataFlow::AccessedAddress(uint32_t index) {
  return AddressOf(*AddressOperand(kernel_.instructions[index], opcodes_[index].operation));
}

void PtxDataFlow::RunBlock(uint32_t number, const Visit* visit) {
  const Block& block = blocks_[number];
  block_ = number;
  for (uint32_t i = block.first; i < block.end; ++i) {
    if (visit != nullptr && Accesses(i)) {
      const PtxInstruction& instruction = kernel_.instructions[i];
      const bool guarded = instruction.guard != kNoPtxRegister;
      Conditions own;
      if (guarded) own.Add(ConditionOfRegister(instruction.guard, instruction.guard_negated));
      (*visit)(i, AccessedAddress(i), own, block.always && !guarded);
    }
    Execute(i);
  }
}

// When a thread that leaves `from` goes to `to`, by the predicates at the end of `from`.
Condition PtxDataFlow::EdgeCondition(uint32_t from, uint32_t to) const {
  const Block& block = blocks_[from];
  const PtxInstruction& last = kernel_.instructions[block.end - 1];
  const PtxOperation operation = opcodes_[block.end - 1].operation;
  if (last.guard == kNoPtxRegister || !EndsBlock(block.end - 1)) return Condition::Always();
  if (operation == PtxOperation::kEnd) return ConditionOfRegister(last.guard, !last.guard_negated);
  if (block.successors.size() == 1) return Condition::Always();
  const bool jumps = to == block.successors[0];
  return ConditionOfRegister(last.guard, jumps ? last.guard_negated : !last.guard_negated);
}

PtxSpace PtxDataFlow::SpaceOfName(std::string_view name) const {
  if (const auto found = kernel_.variables.find(name); found != kernel_.variables.end())
    return found->second;
  const auto found = module_.variables.find(name);
  return found != module_.variables.end() ? found->second : PtxSpace::kUnknown;
}

Expression PtxDataFlow::AddressOfVariable(std::string_view name) {
  Expression address = Expression::UnknownFrom(Sources::kGlobals);
  // A variable of the kernel has another name in the module.
  if (kernel_.variables.count(name) != 0) return address;
  const auto known = std::find(variables_.begin(), variables_.end(), name);
  address.sources.module_word = static_cast<uint32_t>(known - variables_.begin());
  if (known == variables_.end()) variables_.push_back(name);
  return address;
}

PtxSpace PtxDataFlow::SpaceOfAccess(const PtxOpcode& opcode, const PtxOperand& address) const {
  if (!opcode.generic) return opcode.space;
  return address.has_register || address.name.empty() ? PtxSpace::kUnknown
                                                      : SpaceOfName(address.name);
}

Expression PtxDataFlow::AddressOf(const PtxOperand& address) {
  PtxOperand base = address;
  base.kind = address.has_register   ? PtxOperand::Kind::kRegister
              : address.name.empty() ? PtxOperand::Kind::kImmediate
                                     : PtxOperand::Kind::kName;
  if (base.kind == PtxOperand::Kind::kImmediate)
    return Expression::UnknownFrom(Sources::kMemory);  // a fixed address
  return Sum(WideOf(base), Expression::Constant(address.immediate));
}

// The value of a register in the current block.
PtxDataFlow::Id PtxDataFlow::IdOf(uint32_t reg) {
  const Local& local = locals_[reg];
  if (local.block == block_) return local.value;
  if (on_path_) return values_[reg];
  if (entry_index_[reg] != kNoEntry) return entry_[block_][entry_index_[reg]];
  const Id value = values_[reg];
  if (!counters_.NamesAny(value)) return value;
  const uint32_t writer = writer_block_[reg];
  const bool behind =
      writers_[reg] == 1 && writer != block_ && conditions_->Dominates(writer, block_);
  return counters_.Without(
      value, [&](const NaturalLoop& loop) { return !behind || !loop.Contains(block_); });
}

Value PtxDataFlow::ValueOfRegister(uint32_t reg) { return table_[IdOf(reg)]; }

Condition PtxDataFlow::ConditionOfRegister(uint32_t reg, bool negated) const {
  const bool local = condition_block_[reg] == block_;
  if ((writers_[reg] != 1 && !local) || BitsOf(reg) != 1) return {};
  // A condition of an iteration holds only after its instruction in the same iteration.
  if (!local && bounds_.NamesAnyLoop(conditions_of_[reg])) {
    Condition condition = conditions_of_[reg];
    const uint32_t writer = condition_block_[reg];
    if (on_path_ || writer == UINT32_MAX || !conditions_->Dominates(writer, block_)) return {};
    bounds_.ForgetOtherLoops(&condition, block_);
    return negated ? condition.Negated() : condition;
  }
  return negated ? conditions_of_[reg].Negated() : conditions_of_[reg];
}

Condition PtxDataFlow::ConditionOf(const PtxOperand& operand) const {
  if (operand.kind == PtxOperand::Kind::kRegister)
    return ConditionOfRegister(operand.reg, operand.negated);
  if (operand.kind != PtxOperand::Kind::kImmediate) return {};
  const Condition always = Condition::Always();
  return operand.immediate != 0 ? always : always.Negated();
}

// A guarded instruction may leave the old value.
void PtxDataFlow::WriteRegister(const PtxInstruction& instruction, uint32_t reg, Value value) {
  const unsigned bits = BitsOf(reg);
  if (bits == 1) return WriteCondition(instruction, reg, {});
  if (bits == 64 && value.shape != Value::Shape::kHigh) {
    value = Value::High(Expression::Unknown(value.AllSources()));
  } else if (bits != 64 && bits != 32) {
    value = Value::Unknown(value.AllSources());
  }
  const bool guarded = instruction.guard != kNoPtxRegister;
  Id id = Opaque(table_.Intern(std::move(value)));
  if (guarded) id = table_.JoinIds(IdOf(reg), id);
  locals_[reg] = {block_, Opaque(id)};
  if (with_conditions_) return;  // the values are fixed
  const Id all = writers_[reg] == 1 ? id : table_.JoinIds(values_[reg], id);
  changed_ |= all != values_[reg];
  values_[reg] = all;
}

void PtxDataFlow::WriteCondition(const PtxInstruction& instruction, uint32_t reg,
                                 Condition condition) {
  if (!with_conditions_ || BitsOf(reg) != 1) return;
  conditions_of_[reg] = instruction.guard == kNoPtxRegister ? std::move(condition) : Condition();
  condition_block_[reg] = block_;
}

void PtxDataFlow::Write(const PtxInstruction& instruction, const PtxOperand& to,
                        const Value& value) {
  if (to.kind == PtxOperand::Kind::kRegister) WriteRegister(instruction, to.reg, value);
  for (const PtxOperand& part : to.parts) Write(instruction, part, value);
}

void PtxDataFlow::WriteWide(const PtxInstruction& instruction, const PtxOperand& to,
                            Expression wide) {
  Write(instruction, to, Value::High(std::move(wide)));
}

}  // namespace gpusan::cuda
