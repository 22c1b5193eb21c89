// The bounds of iterations, and what accesses in loops depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/conditions.h"
#include "hooks/cuda/analysis/loop_counters.h"

namespace gpusan::cuda {

// Without counters, all functions are no-ops.
class LoopBounds {
 public:
  // Requires that the counters are final after the first call of another function, and outlive this
  // object.
  explicit LoopBounds(LoopCounters* counters) : counters_(*counters) {}

  // Conditions that name the iteration of a loop do not hold outside of it.
  bool NamesOtherLoop(const AccessGuard& guard, uint32_t block) const;
  bool NamesAnyLoop(const Condition& condition) const;
  void ForgetOtherLoops(Condition* condition, uint32_t block) const;
  // Finds the bounds of all loops. Requires the conditions of all blocks and edges.
  void Find(const std::vector<Block>& blocks, const BlockConditions& conditions);
  // Adds the bounds of the loops that the address or a condition names. If one of them is
  // unknown, everything that depends on loops becomes unknown. Requires Find.
  void Bound(uint32_t block, Expression* address, Conditions* conditions);

 private:
  struct BoundOfLoop {
    LoopBound bound;
    std::optional<AccessGuard> front;  // the condition of the first iteration, in front of the loop
    bool exact = false;                // an iteration runs if the condition holds
  };

  bool GuardNames(const AccessGuard& guard, uint16_t loop) const;
  bool MakeOrder(uint16_t loop, AccessGuard* guard);
  std::optional<BoundOfLoop> BoundOf(uint16_t number, const std::vector<Block>& blocks,
                                     const BlockConditions& conditions);

  LoopCounters& counters_;
  std::vector<std::optional<BoundOfLoop>> bounds_;  // by loop
};

}  // namespace gpusan::cuda
