// Integer values of a kernel as formulas of the launch, and the conditions under which its blocks
// run.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "report/ir/ir_text.h"
#include "tracker/model/control_flow.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {

struct Continuation;  // ir_loops.cc

// A formula of a value. It applies to launches for which all `fits` hold.
struct IrFormula {
  SummaryFormula value;
  std::vector<SummaryFit> fits;
  uint32_t bits = 64;
};

// Whether all work items of a launch, in all iterations, have the same value.
bool IsUniform(const SummaryFormula& formula);

inline void Append(const std::vector<SummaryFit>& from, std::vector<SummaryFit>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

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
  // The parts that the formulas name by kPartOfFunction. Of adds parts.
  const std::vector<SummaryPart>& parts() const { return parts_; }
  // Returns a formula of the same value in which identifiers and their parts do not depend on each
  // other, if there is one.
  SummaryFormula Canonical(SummaryFormula formula);
  // The number of a loop that the function does not have; nullopt: there is none.
  std::optional<int> FreeLoop() const {
    const auto count = static_cast<int>(loops_.size());
    return count < kMaxLoopsOfFunction ? std::optional<int>(kMaxLoopsOfFunction - 1) : std::nullopt;
  }

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
  // The values of a phi at the head of a loop whose iterations are known.
  struct Advance {
    int loop;                        // its number in the function
    std::string_view initial, next;  // in the first iteration, and after an iteration
  };
  std::optional<Advance> AdvanceOf(const IrInstruction& phi) const;
  // Until the call of WithdrawFirst, formulas and conditions are those of the first iteration of
  // each loop around `block` whose iterations are not known. They apply to `block` and to the
  // blocks that dominate it. Returns false, without effect, if there is no such loop. Calls do not
  // nest.
  bool AssumeFirst(uint32_t block);
  void WithdrawFirst();
  // Until the call of WithdrawWrapped, an unsigned integer on which `value` depends is the one
  // after it fell below 0. Returns the conditions for this; not known, without effect, if there is
  // no such integer. Calls do not nest.
  Conditions AssumeWrapped(std::string_view value);
  void WithdrawWrapped();

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
  // Reads a shift of an integer of `bits` bits by a constant. Returns false if it is no such shift.
  bool ShiftByConstant(const IrInstruction& shift, uint32_t bits, std::string_view* value,
                       int64_t* distance);
  // `value` shifted to the left by `distance` bits.
  std::optional<IrFormula> ShiftLeft(std::string_view value, uint32_t bits, int64_t distance);
  std::optional<IrFormula> Division(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> ExclusiveOr(const IrInstruction& instruction, uint32_t bits);
  // The bits of `value` that are set in `mask`.
  std::optional<IrFormula> Masked(const IrFormula& value, const IrFormula& mask);
  // `value` shifted by `distance` bits, by the operation `op`.
  std::optional<IrFormula> Shifted(std::string_view op, const IrFormula& value,
                                   const IrFormula& distance);
  // Returns the formula of a derived number; nullopt if work items have different operands, or if
  // there are too many derived numbers.
  std::optional<IrFormula> Derive(DerivedNumber::Kind kind, bool is_signed, const IrFormula& left,
                                  const IrFormula& right);
  // Returns the formula of a part; nullopt if work items have different values of `by`, or if there
  // are too many parts.
  std::optional<IrFormula> DerivePart(SummaryPart::Kind kind, bool is_signed, const IrFormula& of,
                                      const IrFormula& by);
  // Returns the number of the part, which it adds if the function has none; nullopt: too many.
  std::optional<size_t> PartIndex(SummaryPart::Kind kind, const SummaryFormula& of,
                                  const SummaryFormula& by);
  // Whether the value is a power of two wherever it is known.
  bool IsPowerOfTwo(const SummaryFormula& value) const;
  // One step of Canonical.
  SummaryFormula Resolved(SummaryFormula formula);
  // A call of a function with integers of the same size.
  struct IntegerCall {
    std::string_view function;  // with its '@'; empty: another call
    std::vector<std::string_view> operands;
    uint32_t bits = 0;
  };
  IntegerCall IntegerCallOf(const IrInstruction& call);
  // Returns a * b. Derives numbers from products that are the same for all work items, if terms of
  // the formula would have too many symbols.
  std::optional<SummaryFormula> Product(const SummaryFormula& a, const SummaryFormula& b);
  SummaryFormula Shortened(const SummaryFormula& formula);
  // The product of two numbers of 24 bits, or its sum with a third number.
  std::optional<IrFormula> ShortProduct(const IrInstruction& call, uint32_t bits);
  // An integer in a vector or structure that is passed by value.
  std::optional<IrFormula> Field(const IrInstruction& instruction, uint32_t bits);
  // 1 if the condition `value` is true, and 0 if it is false; nullopt if work items have different
  // conditions.
  std::optional<IrFormula> Truth(std::string_view value, int depth = 0);
  std::optional<IrFormula> TruthOf(const IrInstruction& compare);
  // One of two numbers, by a condition, all of which are the same for all work items.
  std::optional<IrFormula> Select(const IrInstruction& select, uint32_t bits);
  // The least or the greatest one of numbers that are the same for all work items.
  std::optional<IrFormula> ExtremeFormula(const IrInstruction& call, uint32_t bits);
  // The operands of `value`, a minimum or maximum in the order of the comparison; empty: none.
  std::vector<std::string_view> OperandsOfExtreme(std::string_view value, bool is_min,
                                                  bool is_signed);
  // Returns the alternatives of the instruction's result, also with conditions that are not known.
  std::vector<Alternative> Divide(const IrInstruction& instruction);
  std::vector<Alternative> DividePhi(const IrInstruction& phi);
  std::vector<Alternative> DivideExtreme(const IrInstruction& call);
  // Adds the values that the phis at the head of the loop have in the first iteration, and after
  // an iteration. Returns false if a phi has other values.
  bool AddValues(const ControlFlow::Loop& loop,
                 std::map<std::string_view, std::string_view>* initial,
                 std::map<std::string_view, std::string_view>* next) const;
  const ControlFlow& paths() const { return first_paths_ != nullptr ? *first_paths_ : flow_; }
  // The alternatives of a phi at the head of a loop that has two iterations, whose values are
  // constants; empty: another phi.
  std::vector<Alternative> DivideTwice(const IrInstruction& phi);
  // The conditions under which control passes from one block to the other.
  Conditions AlongEdge(uint32_t from, uint32_t to);
  // Adds the guards under which a branch or switch takes the successor number `side`. Returns false
  // if they are not known.
  bool AddSide(const IrInstruction& branch, uint32_t side, Conditions* conditions);
  // Adds the guards under which `value` is `wanted`. Returns false if they are not known.
  bool AddGuards(std::string_view value, bool wanted, Conditions* conditions, int depth);
  bool AddCompare(const IrInstruction& compare, bool wanted, Conditions* conditions);
  // Adds the guard that `value`, the upper bits of an integer, is zero, or that it is not: that the
  // integer is less than a power of two. Compilers write `uint(x) < 16` as `(x & 0xfffffff0) == 0`.
  // Returns false, without effect, for other values.
  bool AddHighBits(std::string_view value, uint32_t bits, bool zero, Conditions* conditions);
  // Adds the guard that the integers `left` and `right` compare by the predicate.
  bool AddComparison(std::string_view predicate, std::string_view left, std::string_view right,
                     uint32_t bits, bool wanted, Conditions* conditions);
  // A loop whose number of iterations depends on a counter.
  struct Loop {
    const ControlFlow::Loop* flow = nullptr;
    // An iteration runs if this guard and the others hold (kNegative).
    SummaryGuard condition;
    std::vector<SummaryGuard> others;
    std::vector<SummaryFit> fits;  // of the conditions and of the counter after the iteration
    SummaryFormula first;          // the value of `condition` in the first iteration
    std::vector<SummaryFormula> others_first;
    bool surely_first = false;  // `condition` always holds in the first iteration
    // The header tests the condition, and runs once more than the other blocks.
    bool header_tests = false;
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
  // Derives the conditions of the loop's iterations from the comparison of the counter. Returns
  // false if they are not known; `*loop` is then unspecified.
  bool CompareCounter(const ControlFlow::Loop& flow, const Counter& counter, Loop* loop);
  // Appends the guard under which an iteration with the counter's `value` runs.
  bool AddBound(const Counter& counter, const SummaryFormula& value, IrFormula bound, bool of_next,
                const Continuation& continuation, Loop* loop);
  // Adds the conditions of the loop's iterations.
  static void AddIteration(const Loop& loop, Conditions* conditions);
  // Replaces the guard in front of the loop by the condition of the loop's iterations. Returns
  // false if there is no such guard, and the first iteration does not always run.
  bool Enter(const Loop& loop, Conditions* conditions) const;
  // Whether `value` is negative exactly if `first`, that of a loop, is negative.
  bool DecidesFirst(const SummaryFormula& value, const SummaryFormula& first) const;
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
  std::vector<SummaryPart> parts_;
  std::vector<std::map<std::string_view, std::string_view>> assumed_;
  // Of AssumeFirst: the paths that end with the first iterations; by the innermost loop.
  std::map<const ControlFlow::Loop*, ControlFlow> paths_of_first_;
  const ControlFlow* first_paths_ = nullptr;
  // Of AssumeWrapped; without a name: nothing is assumed.
  std::string_view wrapped_;
  IrFormula wrapped_formula_;
};

}  // namespace gpusan
