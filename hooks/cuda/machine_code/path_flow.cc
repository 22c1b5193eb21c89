// The code of a kernel as paths execute it (DataFlow::SureAccesses).
#include <memory>
#include <optional>
#include <utility>

#include "hooks/cuda/analysis/paths.h"
#include "hooks/cuda/machine_code/data_flow.h"

namespace gpusan::cuda {

class DataFlow::Path : public PathCode {
 public:
  explicit Path(DataFlow& data) : data_(data) {}

  std::unique_ptr<State> Save() const override { return std::make_unique<Saved>(data_); }
  void Restore(const State& state) override { static_cast<const Saved&>(state).Restore(&data_); }
  void JoinInto(State* state) override { static_cast<Saved*>(state)->Join(data_); }

  bool Run(uint32_t block, const Found& found) override {
    for (uint32_t i = BlockAt(block).first; i < BlockAt(block).end; ++i) {
      const Instruction& instruction = data_.flow_.instructions[i];
      data_.current_ = &instruction;
      if (instruction.Accesses() && data_.IsWanted(instruction)) {
        const MemoryOperand& memory = instruction.memory;
        const uint32_t sort =
            static_cast<uint32_t>(instruction.operation) << 1 | (memory.strong ? 1 : 0);
        found({i, sort, memory.width, data_.AddressOf(instruction), {}},
              data_.PredicateAt(instruction.guard, instruction.guard_negated));
      }
      data_.Advance(i);
    }
    return data_.CallDriver(block) == nullptr;
  }

  Condition EdgeCondition(uint32_t from, uint32_t to) const override {
    return data_.EdgeCondition(from, to);
  }

  std::optional<uint32_t> ReturnsTo(uint32_t block) override {
    const Instruction& last = LastOf(block);
    int64_t address;
    if (last.operation != Operation::kReturn || last.Guarded() ||
        !data_.PairOf(last.a).IsConstant(&address))
      return std::nullopt;
    for (const uint32_t next : BlockAt(block).successors) {
      if (int64_t{BlockAt(next).first} * kInstructionBytes == address) return next;
    }
    return std::nullopt;
  }

  bool Calls(uint32_t block) const override { return LastOf(block).operation == Operation::kCall; }
  bool Endless(uint32_t block) const override { return data_.endless_[block]; }
  bool UsesParameters(uint32_t block) const override {
    return data_.whose_ == PathsOf::kWritesOfFirstThread ? data_.changes_parameters_[block]
                                                         : data_.uses_parameters_[block];
  }
  bool CanSkip(uint32_t block) const override {
    return LastOf(block).operation != Operation::kCallAddress;
  }

  void Skip(const std::vector<uint32_t>& blocks, uint32_t join) override {
    std::vector<bool> written(std::tuple_size_v<RegisterFile>);
    unsigned predicates = 0;
    for (const uint32_t block : blocks) {
      for (uint32_t i = BlockAt(block).first; i < BlockAt(block).end; ++i) {
        const Instruction& instruction = data_.flow_.instructions[i];
        for (unsigned k = 0; k < instruction.result_count; ++k) {
          if (instruction.ResultNumber(k) < 255) written[instruction.ResultIndex(k)] = true;
        }
        if (!instruction.writes_uniform_predicates) predicates |= instruction.predicates;
      }
    }
    for (size_t i = 0; i < written.size(); ++i) {
      if (!written[i]) continue;
      const ValueTable::Id value = data_.entry_[join][i];
      // The iteration of a loop is not known on the path.
      data_.registers_[i] =
          data_.counters_.NamesAny(value)
              ? data_.table_.Intern(data_.NewOpaque(data_.table_[value].AllSources(), {}))
              : data_.Opaque(value);
    }
    for (size_t i = 0; i < data_.predicates_.size(); ++i) {
      if ((predicates >> i & 1) != 0) data_.predicates_[i] = {};
    }
    data_.lowers_ = {};
    data_.carries_ = {};
    data_.conditionals_.clear();
  }

 private:
  struct Saved : State {
    explicit Saved(const DataFlow& data)
        : registers(data.registers_),
          predicates(data.predicates_),
          lowers(data.lowers_),
          carries(data.carries_),
          conditionals(data.conditionals_) {}
    void Restore(DataFlow* data) const {
      data->registers_ = registers;
      data->predicates_ = predicates;
      data->lowers_ = lowers;
      data->carries_ = carries;
      data->conditionals_ = conditionals;
    }
    // Keeps what holds in `data` as well.
    void Join(DataFlow& data) {
      for (size_t i = 0; i < registers.size(); ++i) {
        if (registers[i] != data.registers_[i])
          registers[i] = data.Opaque(data.table_.JoinIds(registers[i], data.registers_[i]));
      }
      for (size_t i = 0; i < predicates.size(); ++i) {
        if (!(predicates[i] == data.predicates_[i])) predicates[i] = {};
      }
      lowers = {};
      carries = {};
      conditionals.clear();
    }
    RegisterFile registers;
    Predicates predicates;
    std::array<LowerWords, 7> lowers;
    std::array<Carry, 16> carries;
    std::vector<Conditional> conditionals;
  };

  const Block& BlockAt(uint32_t block) const { return data_.flow_.blocks[block]; }
  const Instruction& LastOf(uint32_t block) const {
    return data_.flow_.instructions[BlockAt(block).end - 1];
  }

  DataFlow& data_;
};

Value DataFlow::NewOpaque(Sources sources, OpaqueWords::Masked known) {
  return Value::Word(opaque_.Add(std::move(sources), std::move(known)));
}

// On a path, the value itself or an atom instead of it.
ValueTable::Id DataFlow::Opaque(ValueTable::Id value) {
  const Value& known = table_[value];
  if (!on_path_ || known.shape == Value::Shape::kUndefined || !known.expression.inexact)
    return value;
  return table_.Intern(NewOpaque(known.AllSources(), {}));
}

ValueTable::Id DataFlow::OpaqueUnless(const Instruction& instruction, ValueTable::Id value) {
  const Value& known = table_[value];
  const Condition unless = PredicateAt(instruction.guard, !instruction.guard_negated);
  if (!on_path_ || known.shape == Value::Shape::kUndefined || !known.expression.inexact ||
      instruction.writes_uniform_predicates || !unless.IsConjunction())
    return Opaque(value);
  OpaqueWords::Masked zero;
  zero.zero_if = unless.guards;
  return table_.Intern(NewOpaque(known.AllSources(), std::move(zero)));
}

// The value of 64 bits. On a path, two words that have nothing to do with each other have one, too.
Expression DataFlow::WideOf(const Value& low, const Value& high) {
  Expression wide = Combine(low, high, &extensions_);
  if (!wide.inexact || !on_path_ || low.shape != Value::Shape::kWord ||
      high.shape != Value::Shape::kWord || low.expression.inexact || high.expression.inexact)
    return wide;
  return Sum(extensions_.Extend(low, false), Scaled(high.expression, int64_t{1} << 32));
}

std::vector<SureAccess> DataFlow::SureAccesses(PathsOf whose,
                                               const std::vector<AccessGuard>& known) {
  on_path_ = true;
  whose_ = whose;
  if (whose != PathsOf::kAnyThread) first_thread_.Start();
  registers_ = {};
  predicates_ = {};
  lowers_ = {};
  carries_ = {};
  conditionals_.clear();
  Path path(*this);
  // In the form that comparisons have on paths.
  std::vector<AccessGuard> facts = known;
  for (AccessGuard& fact : facts) opaque_.Simplify(&fact);
  std::vector<SureAccess> accesses =
      FollowPaths(flow_.blocks, extensions_, opaque_, whose, facts, &path);
  on_path_ = false;
  if (whose != PathsOf::kAnyThread) {
    for (SureAccess& access : accesses) first_thread_.AddGuards(&access.guards);
    first_thread_.Stop();
  }
  return accesses;
}

}  // namespace gpusan::cuda
