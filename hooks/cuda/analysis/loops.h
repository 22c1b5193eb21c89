// Loops of a kernel, and values that depend on the number of the iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// A loop with one entrance, its header, and one back edge, from its latch.
struct NaturalLoop {
  uint32_t header = 0, latch = 0;
  std::vector<uint32_t> blocks;  // ascending

  bool Contains(uint32_t block) const;
};

// Returns the loops, outer loops before inner ones. Empty if there are too many.
std::vector<NaturalLoop> FindLoops(const std::vector<Block>& blocks, const BlockConditions& graph);

// Returns the atom of the iteration number of a loop, which begins at 0.
inline Atom IterationOf(uint16_t loop) { return {Atom::Kind::kIteration, loop}; }

// Replaces iteration numbers in expressions.
class LoopValues {
 public:
  explicit LoopValues(Extensions* extensions) : extensions_(*extensions) {}

  // Whether the expression, or one of its conditions, depends on the iteration of the loop, or of
  // any loop.
  bool Names(const Expression& expression, uint16_t loop) const;
  bool NamesAny(const Expression& expression) const;
  // Returns the expression `distance` iterations later. Inexact if the value is not known.
  Expression Later(const Expression& expression, uint16_t loop, int64_t distance);
  // Returns the expression in iteration 0.
  Expression First(const Expression& expression, uint16_t loop);
  // Returns the expression for an unknown iteration.
  static Expression Forget(const Expression& expression, uint16_t loop);

 private:
  template <typename Change>
  Expression Changed(const Expression& expression, uint16_t loop, Change change);

  Extensions& extensions_;
};

}  // namespace gpusan::cuda
