// Integers of a SPIR-V function as formulas of the launch, and the conditions of its blocks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "hooks/common/spirv/spirv_code.h"
#include "tracker/model/control_flow.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {

// A formula that equals the value modulo 2 to the number of its bits, if the fits hold.
struct SpirvFormula {
  SummaryFormula value;
  std::vector<SummaryFit> fits;
};

class SpirvFormulas {
 public:
  // The number of an array length, of an integer parameter, or of an element of a loaded push
  // constant, kArgument + n; 0: there is none.
  using NameNumber = std::function<uint16_t(const SpirvInstruction&, uint32_t element)>;

  SpirvFormulas(const SpirvCode& code, const SpirvFunction& function, NameNumber number);

  // Returns the value of an integer, or of an element of a vector; nullopt if it cannot be
  // expressed as a formula.
  std::optional<SpirvFormula> Of(uint32_t id, uint32_t element = 0) { return Of(id, element, 0); }

  struct Conditions {
    bool known = false;
    std::vector<SummaryGuard> guards;
    std::vector<SummaryFit> fits;
  };
  // The conditions under which a block runs, in an iteration of each loop around it whose counter
  // is known.
  const Conditions& OfBlock(uint32_t block);
  // The value of the only store to a local variable that is only stored to and loaded.
  std::optional<uint32_t> OnlyStored(uint32_t variable) const {
    const auto local = locals_.find(variable);
    if (local == locals_.end() || local->second.escapes || local->second.stores.size() != 1)
      return std::nullopt;
    return (*local->second.stores[0].second)[1];
  }
  bool IsInLoop(int loop, uint32_t block) const {
    return static_cast<size_t>(loop) < loops_.size() &&
           loops_[static_cast<size_t>(loop)].flow->blocks[block];
  }

 private:
  // A variable of the function: its loads have the value of its only store, or count iterations.
  struct Local {
    std::vector<std::pair<uint32_t, const SpirvInstruction*>> stores;  // and their blocks
    bool escapes = false;
  };
  // The counter of a loop: a variable, or an OpPhi.
  struct Counter {
    uint32_t id = 0;
    uint32_t initial = 0;                    // value
    const SpirvInstruction* step = nullptr;  // the addition or subtraction of an iteration
    uint32_t step_block = 0;
  };
  struct Loop {
    const ControlFlow::Loop* flow = nullptr;
    std::vector<Counter> counters;
    std::vector<SummaryFit> fits;
  };

  std::optional<SpirvFormula> Of(uint32_t id, uint32_t element, int depth);
  std::optional<SpirvFormula> Compute(const SpirvInstruction& instruction, uint32_t element,
                                      int depth);
  std::optional<SpirvFormula> Sum(const SpirvInstruction& instruction, uint32_t element, int depth);
  std::optional<SpirvFormula> Loaded(const SpirvInstruction& load, uint32_t element, int depth);
  std::optional<SpirvFormula> BuiltIn(uint32_t variable, uint32_t element);
  std::optional<SpirvFormula> Counted(const Counter& counter, int loop, int depth);
  bool Compare(const SpirvInstruction& compare, bool wanted, Conditions* conditions);
  bool AddGuards(uint32_t condition, bool wanted, Conditions* conditions, int depth);
  void FindLocals();
  void FindLoop(const ControlFlow::Loop& flow);
  std::vector<Counter> CountersOf(const ControlFlow::Loop& flow);
  uint32_t TypeOf(uint32_t id) const;
  uint32_t ScalarBits(uint32_t type) const;

  const SpirvCode& code_;
  const SpirvFunction& function_;
  NameNumber number_;
  ControlFlow flow_;
  bool odd_ = false;  // the successors of a block are unknown
  std::map<uint32_t, Local> locals_;
  // By value: the block of the instruction that defines it, and the index in the block.
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> places_;
  std::vector<Loop> loops_;
  std::map<std::pair<uint32_t, uint32_t>, std::optional<SpirvFormula>> computed_;
  std::map<uint32_t, Conditions> conditions_;
};

}  // namespace gpusan
