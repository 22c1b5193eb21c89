// Loops of a kernel, and values that depend on the number of the iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// A loop that is entered through its header only, and that continues from one block only.
struct NaturalLoop {
  uint32_t header = 0, latch = 0;
  std::vector<uint32_t> blocks;  // ascending

  bool Contains(uint32_t block) const;
};

// Outer loops come before those inside of them. Empty if there are too many of them.
std::vector<NaturalLoop> FindLoops(const std::vector<Block>& blocks, const BlockConditions& graph);

// The atom of the iteration of a loop, from 0 on.
inline Atom IterationOf(uint16_t loop) { return {Atom::Kind::kIteration, loop}; }

// Changes the iterations in expressions.
class LoopValues {
 public:
  explicit LoopValues(Extensions* extensions) : extensions_(*extensions) {}

  // Whether the expression, or one of its conditions, names the loop; or any loop.
  bool Names(const Expression& expression, uint16_t loop) const;
  bool NamesAny(const Expression& expression) const;
  // The expression in the iteration that is `distance` later. Inexact if that is not known.
  Expression Later(const Expression& expression, uint16_t loop, int64_t distance);
  // The expression in iteration 0.
  Expression First(const Expression& expression, uint16_t loop);
  // Where the iteration is not known.
  static Expression Forget(const Expression& expression, uint16_t loop);

 private:
  template <typename Change>
  Expression Changed(const Expression& expression, uint16_t loop, Change change);

  Extensions& extensions_;
};

}  // namespace gpusan::cuda
