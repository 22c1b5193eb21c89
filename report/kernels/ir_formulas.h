// Integer values of a kernel as formulas of the launch, and the conditions under which its blocks
// run.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "report/kernels/ir_text.h"
#include "tracker/model/control_flow.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {

// A formula, and the conditions at the launch under which it is the value.
struct IrFormula {
  SummaryFormula value;
  std::vector<SummaryFit> fits;
  uint32_t bits = 64;
};

class IrFormulas {
 public:
  IrFormulas(IrModule& module, const IrFunction& function);

  // Returns the integer `value` of `bits` bits; nullopt if it has no formula.
  std::optional<IrFormula> Of(std::string_view value, uint32_t bits);

  // Returns the instruction that defines `value`; nullptr for parameters and constants.
  const IrInstruction* Definition(std::string_view value) const;

  // Whether the block is in the loop n.
  bool IsInLoop(int loop, uint32_t block) const {
    return static_cast<size_t>(loop) < loops_.size() &&
           loops_[static_cast<size_t>(loop)].flow->blocks[block];
  }

  // Whether each path from the entry to `block` passes `by`; false if that is not known.
  bool Dominates(uint32_t by, uint32_t block) const {
    return flow_.known() && flow_.Dominates(by, block);
  }

  // The conditions under which a block runs at least once; in an iteration of each loop around it
  // whose condition is known.
  struct Conditions {
    bool known = false;  // if not, there are other conditions besides `guards`
    std::vector<SummaryGuard> guards;
    std::vector<SummaryFit> fits;
  };
  const Conditions& Of(uint32_t block);

 private:
  // The last instruction of the block; nullptr: it has none.
  const IrInstruction* EndOf(uint32_t block) const;
  std::optional<IrFormula> Compute(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> Shift(const IrInstruction& instruction, uint32_t bits);
  // Adds the guards for `value` being `wanted`. Returns false if it is not understood.
  bool AddGuards(std::string_view value, bool wanted, Conditions* conditions, int depth);
  bool AddCompare(const IrInstruction& compare, bool wanted, Conditions* conditions);
  // A loop with a counter that decides on its iterations.
  struct Loop {
    const ControlFlow::Loop* flow = nullptr;
    SummaryGuard condition;        // of an iteration, for kNegative
    std::vector<SummaryFit> fits;  // of the condition and of the counter behind the iteration
    SummaryFormula first;          // `condition` for the first iteration
    bool surely_first = false;     // which runs always
  };
  // The two values of a phi at the head of a loop, and what each iteration adds.
  struct Counter {
    std::string_view name, initial, next;
    std::string_view step;
    uint32_t bits = 0;
    bool subtracts = false;
  };
  std::optional<Counter> CounterOf(const IrInstruction& phi, const ControlFlow::Loop& loop);
  std::optional<IrFormula> ValueOf(const Counter& counter, int loop);
  void FindLoop(const ControlFlow::Loop& flow);
  bool CompareCounter(const ControlFlow::Loop& flow, const Counter& counter, Loop* loop);
  // Adds what bounds the iterations of the loop, instead of the guard in front of it.
  static bool Enter(const Loop& loop, Conditions* conditions);

  IrModule& module_;
  const IrFunction& function_;
  std::map<std::string_view, const IrInstruction*> definitions_;
  std::map<std::string_view, size_t> parameters_;
  std::map<std::string_view, std::optional<IrFormula>> computed_;
  int depth_ = 0;
  ControlFlow flow_;
  std::vector<Loop> loops_;
  std::map<uint32_t, Conditions> conditions_;
};

}  // namespace gpusan
