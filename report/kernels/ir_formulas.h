// Integer values of a kernel as formulas of the launch, and the conditions under which its blocks
// run.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "report/kernels/ir_text.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// A formula, and the conditions at the launch under which it is the value.
struct IrFormula {
  SummaryFormula value;
  std::vector<SummaryFit> fits;
  uint32_t bits = 64;
};

// The sum of two formulas, the second multiplied by `factor`. Empty if it is too long.
std::optional<SummaryFormula> Add(const SummaryFormula& a, const SummaryFormula& b, int64_t factor);

class IrFormulas {
 public:
  IrFormulas(IrModule& module, const IrFunction& function);

  // Returns the integer `value` of `bits` bits; nullopt if it has no formula.
  std::optional<IrFormula> Of(std::string_view value, uint32_t bits);

  // Returns the instruction that defines `value`; nullptr for parameters and constants.
  const IrInstruction* Definition(std::string_view value) const;

  // The conditions under which a block runs at least once.
  struct Conditions {
    bool known = false;
    std::vector<SummaryGuard> guards;
    std::vector<SummaryFit> fits;
  };
  const Conditions& Of(uint32_t block);

 private:
  std::optional<IrFormula> Compute(const IrInstruction& instruction, uint32_t bits);
  std::optional<IrFormula> Shift(const IrInstruction& instruction, uint32_t bits);
  // Adds the guards for `value` being `wanted`. Returns false if it is not understood.
  bool AddGuards(std::string_view value, bool wanted, Conditions* conditions, int depth);
  bool AddCompare(const IrInstruction& compare, bool wanted, Conditions* conditions);
  void FindDominance();

  IrModule& module_;
  const IrFunction& function_;
  std::map<std::string_view, const IrInstruction*> definitions_;
  std::map<std::string_view, size_t> parameters_;
  std::map<std::string_view, std::optional<IrFormula>> computed_;
  int depth_ = 0;
  // [a][b]: each path from the entry to b passes a; each path from b to an end passes a.
  std::vector<std::vector<bool>> dominates_, follows_;
  std::map<uint32_t, Conditions> conditions_;
};

}  // namespace gpusan
