// The code of a PTX kernel as paths execute it (PtxDataFlow::SureAccesses).
#include <memory>
#include <optional>
#include <utility>

#include "hooks/cuda/analysis/paths.h"
#include "hooks/cuda/ptx/data_flow.h"

namespace gpusan::cuda {

class PtxDataFlow::Path : public PathCode {
 public:
  explicit Path(PtxDataFlow& data) : data_(data) {}

  std::unique_ptr<State> Save() const override { return std::make_unique<Saved>(data_); }
  void Restore(const State& state) override {
    const Saved& saved = static_cast<const Saved&>(state);
    data_.locals_ = saved.locals;
    data_.conditions_of_ = saved.conditions;
    data_.condition_block_ = saved.condition_block;
  }
  void JoinInto(State* state) override { static_cast<Saved*>(state)->Join(data_); }

  bool Run(uint32_t block, const Found& found) override {
    for (uint32_t i = data_.blocks_[block].first; i < data_.blocks_[block].end; ++i) {
      if (data_.Accesses(i) && data_.IsWanted(i)) {
        const PtxInstruction& instruction = data_.kernel_.instructions[i];
        const PtxOpcode& opcode = data_.opcodes_[i];
        const uint32_t sort =
            static_cast<uint32_t>(opcode.operation) << 1 | (opcode.strong ? 1 : 0);
        const Condition condition =
            instruction.guard == kNoPtxRegister
                ? Condition::Always()
                : data_.ConditionOfRegister(instruction.guard, instruction.guard_negated);
        found({i, sort, opcode.vector * opcode.bits / 8, data_.AccessedAddress(i), {}}, condition);
      }
      data_.Execute(i);
    }
    return true;
  }

  Condition EdgeCondition(uint32_t from, uint32_t to) const override {
    return data_.EdgeCondition(from, to);
  }
  std::optional<uint32_t> ReturnsTo(uint32_t) override { return std::nullopt; }
  bool Calls(uint32_t) const override { return false; }
  // No thread returns from a failed assertion.
  bool Endless(uint32_t block) const override {
    const uint32_t last = data_.blocks_[block].end - 1;
    return data_.opcodes_[last].head == "call" &&
           data_.opcodes_[last].operation == PtxOperation::kEnd &&
           data_.kernel_.instructions[last].guard == kNoPtxRegister;
  }
  bool UsesParameters(uint32_t block) const override {
    return data_.whose_ == PathsOf::kWritesOfFirstThread ? data_.changes_parameters_[block]
                                                         : data_.uses_parameters_[block];
  }
  bool CanSkip(uint32_t) const override { return true; }

  void Skip(const std::vector<uint32_t>& blocks, uint32_t) override {
    for (const uint32_t block : blocks) {
      for (uint32_t i = data_.blocks_[block].first; i < data_.blocks_[block].end; ++i) {
        // Sources are forgotten, too, if they stand first: that loses precision only.
        if (data_.kernel_.instructions[i].operands.empty()) continue;
        const PtxOperand& to = data_.kernel_.instructions[i].operands[0];
        if (to.kind == PtxOperand::Kind::kRegister) Forget(to.reg);
        for (const PtxOperand& part : to.parts) {
          if (part.kind == PtxOperand::Kind::kRegister) Forget(part.reg);
        }
      }
    }
  }

 private:
  struct Saved : State {
    explicit Saved(const PtxDataFlow& data)
        : locals(data.locals_),
          conditions(data.conditions_of_),
          condition_block(data.condition_block_) {}
    // Keeps what holds in `data` as well.
    void Join(PtxDataFlow& data) {
      const auto value_of = [&](const std::vector<Local>& all, uint32_t reg) {
        return all[reg].block == data.block_ ? all[reg].value : data.values_[reg];
      };
      for (uint32_t reg = 0; reg < locals.size(); ++reg) {
        const Id own = value_of(locals, reg), other = value_of(data.locals_, reg);
        if (own != other) locals[reg] = {data.block_, data.Opaque(data.table_.JoinIds(own, other))};
        if (condition_block[reg] != data.condition_block_[reg] ||
            !(conditions[reg] == data.conditions_of_[reg]))
          conditions[reg] = {};
      }
    }
    std::vector<Local> locals;
    std::vector<Condition> conditions;
    std::vector<uint32_t> condition_block;
  };

  // The terms that the values of all instructions that write the register have in common.
  void Forget(uint32_t reg) {
    data_.locals_[reg] = {data_.block_, data_.Opaque(data_.values_[reg])};
    data_.conditions_of_[reg] = {};
  }

  PtxDataFlow& data_;
};

PtxDataFlow::Id PtxDataFlow::Opaque(Id value) {
  const Value& known = table_[value];
  if (!on_path_ || known.shape == Value::Shape::kUndefined || !known.expression.inexact)
    return value;
  return table_.Intern({known.shape, opaque_.Add(known.AllSources(), {})});
}

std::vector<SureAccess> PtxDataFlow::SureAccesses(PathsOf whose,
                                                  const std::vector<AccessGuard>& known) {
  on_path_ = true;
  whose_ = whose;
  values_ = plain_values_;
  conditions_of_.assign(conditions_of_.size(), {});
  condition_block_.assign(condition_block_.size(), UINT32_MAX);
  for (Local& local : locals_) local.block = UINT32_MAX;
  if (whose != PathsOf::kAnyThread) first_thread_.Start();
  block_ = UINT32_MAX - 1;  // none of the blocks
  Path path(*this);
  std::vector<SureAccess> accesses =
      FollowPaths(blocks_, extensions_, opaque_, whose, known, &path);
  on_path_ = false;
  if (whose != PathsOf::kAnyThread) {
    for (SureAccess& access : accesses) first_thread_.AddGuards(&access.guards);
    first_thread_.Stop();
  }
  return accesses;
}

}  // namespace gpusan::cuda
