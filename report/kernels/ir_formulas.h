// Integer values of a kernel as formulas of the launch, and the conditions under which its blocks
// run.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "report/kernels/ir_text.h"
#include "tracker/model/control_flow.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {

// A formula of a value. It applies to launches for which all `fits` hold.
struct IrFormula {
  SummaryFormula value;
  std::vector<SummaryFit> fits;
  uint32_t bits = 64;
};

// Not thread-safe.
class IrFormulas {
 public:
  // Both arguments must outlive this object.
  IrFormulas(IrModule& module, const IrFunction& function);

  // Returns the integer `value` of `bits` bits; nullopt if it has no formula.
  std::optional<IrFormula> Of(std::string_view value, uint32_t bits);

  // Returns the instruction that defines `value`; nullptr for parameters and constants.
  const IrInstruction* Definition(std::string_view value) const;

  // Returns whether the block is in the loop number `loop`.
  bool IsInLoop(int loop, uint32_t block) const {
    return static_cast<size_t>(loop) < loops_.size() &&
           loops_[static_cast<size_t>(loop)].flow->blocks[block];
  }

  // Returns whether each path from the entry to `block` passes `by`; false if this is not known.
  bool Dominates(uint32_t by, uint32_t block) const {
    return flow_.known() && flow_.Dominates(by, block);
  }

  // The numbers that the formulas name after the parameters. Of adds numbers.
  const std::vector<DerivedNumber>& derived() const { return derived_; }

  // The conditions under which a block runs at least once. For loops with a known condition: under
  // which it runs in one iteration.
  struct Conditions {
    bool known = false;  // false: the block has further conditions
    std::vector<SummaryGuard> guards;
    std::vector<SummaryFit> fits;
  };
  const Conditions& Of(uint32_t block);

  // One of the values that an instruction may have.
  struct Alternative {
    std::vector<std::pair<std::string_view, std::string_view>> values;  // results, and their values
    Conditions conditions;  // under which the results have these values
    // Of a phi: its block, and the block in front of it. The conditions contain those of `block`.
    uint32_t block = kNoBlock, from = kNoBlock;
  };
  static constexpr uint32_t kNoBlock = UINT32_MAX;
  // Finds an instruction on which `value`, the address of an access in `block`, depends, and which
  // has one of several values: a phi behind a branch, a select, an extended condition, a minimum or
  // a maximum. Returns its values; none if there is no such instruction, or if not all conditions
  // are known. One of the conditions holds wherever the block runs.
  std::vector<Alternative> AlternativesOf(std::string_view value, uint32_t block);
  // Until the call of Withdraw, the results have the values of the alternative. Formulas and
  // conditions then apply only under its conditions. Calls nest.
  void Assume(const Alternative& alternative);
  void Withdraw();
  // The value that is assumed for `value`, or `value`.
  std::string_view Assumed(std::string_view value) const;

 private:
  // The last instruction of the block; nullptr: it has none.
  const IrInstruction* EndOf(uint32_t block) const;
  std::optional<IrFormula> Compute(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> WorkItemFunction(const IrInstruction& call, uint32_t bits);
  std::optional<IrFormula> Phi(const IrInstruction& phi, uint32_t bits);
  std::optional<IrFormula> Conversion(const IrInstruction& instruction, uint32_t bits);
  // Reads "TYPE a, b" and returns the formulas of both. Returns nullopt if the type is not the
  // integer of `bits` bits, or if an operand has no formula.
  std::optional<std::pair<IrFormula, IrFormula>> Operands(IrCursor* cursor, uint32_t bits);
  std::optional<IrFormula> Arithmetic(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> Shift(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> Division(const IrInstruction& instruction, uint32_t bits);
  // Returns the formula of a derived number; nullopt if work items have different operands, or if
  // there are too many derived numbers.
  std::optional<IrFormula> Derive(DerivedNumber::Kind kind, bool is_signed, const IrFormula& left,
                                  const IrFormula& right);
  // Returns the alternatives of the instruction's result, also with conditions that are not known.
  std::vector<Alternative> Divide(const IrInstruction& instruction);
  std::vector<Alternative> DividePhi(const IrInstruction& phi);
  std::vector<Alternative> DivideExtreme(const IrInstruction& call);
  // The conditions under which control passes from one block to the other.
  Conditions AlongEdge(uint32_t from, uint32_t to);
  // Adds the guards under which a branch or switch takes the successor number `side`. Returns false
  // if they are not known.
  bool AddSide(const IrInstruction& branch, uint32_t side, Conditions* conditions);
  // Adds the guards under which `value` is `wanted`. Returns false if they are not known.
  bool AddGuards(std::string_view value, bool wanted, Conditions* conditions, int depth);
  bool AddCompare(const IrInstruction& compare, bool wanted, Conditions* conditions);
  // A loop whose number of iterations depends on a counter.
  struct Loop {
    const ControlFlow::Loop* flow = nullptr;
    SummaryGuard condition;        // an iteration runs if this guard holds (kNegative)
    std::vector<SummaryFit> fits;  // of the condition and of the counter after the iteration
    SummaryFormula first;          // the value of `condition` in the first iteration
    bool surely_first = false;     // the first iteration always runs
  };
  // A phi at the head of a loop: its two values, and the step that each iteration adds.
  struct Counter {
    std::string_view name, initial, next;
    std::string_view step;
    uint32_t bits = 0;
    bool subtracts = false;
  };
  std::optional<Counter> CounterOf(const IrInstruction& phi, const ControlFlow::Loop& loop);
  std::optional<IrFormula> ValueOf(const Counter& counter, int loop);
  void FindLoop(const ControlFlow::Loop& flow);
  struct Comparison {
    std::string_view predicate, left, right;
  };
  // Returns the comparison on which the branch depends; nullopt if there is none.
  std::optional<Comparison> ComparisonOf(const IrInstruction& branch);
  // Derives the condition of the loop's iterations from the comparison of the counter. Returns
  // false if it is not known; `*loop` is then unspecified.
  bool CompareCounter(const ControlFlow::Loop& flow, const Counter& counter, Loop* loop);
  // Replaces the guard in front of the loop by the condition of the loop's iterations. Returns
  // false if there is no such guard, and the first iteration does not always run.
  bool Enter(const Loop& loop, Conditions* conditions) const;
  // Whether `value` is negative exactly if the loop has a first iteration.
  bool DecidesFirst(const SummaryFormula& value, const Loop& loop) const;
  // Whether each iteration of a loop around the loop enters it, because both have the same bounds.
  bool IsEnteredWith(const Loop& loop) const;

  IrModule& module_;
  const IrFunction& function_;
  std::map<std::string_view, const IrInstruction*> definitions_;
  std::map<std::string_view, size_t> parameters_;
  std::map<std::string_view, std::optional<IrFormula>> computed_;
  int depth_ = 0;
  ControlFlow flow_;
  std::vector<Loop> loops_;
  std::map<uint32_t, Conditions> conditions_;
  std::vector<DerivedNumber> derived_;
  std::vector<std::map<std::string_view, std::string_view>> assumed_;
};

}  // namespace gpusan
