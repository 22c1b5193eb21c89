// The control flow of a function: dominators, post-dominators and loops.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gpusan {

// Constant after creation.
class ControlFlow {
 public:
  // `successors`: those of each block. Block 0 is the entry. A block without successors is an end.
  explicit ControlFlow(std::vector<std::vector<uint32_t>> successors);

  // Returns false if there are too many blocks. The other functions, except successors, require
  // true.
  bool known() const { return !dominates_.empty(); }
  const std::vector<uint32_t>& successors(uint32_t block) const { return successors_[block]; }
  // Returns whether each path from the entry to `block` passes `by`.
  bool Dominates(uint32_t by, uint32_t block) const { return dominates_[block][by]; }
  // Returns whether each path from `block` to an end passes `by`.
  bool Follows(uint32_t by, uint32_t block) const { return follows_[block][by]; }

  // The condition under which a block runs at least once.
  struct Decision {
    enum class Kind : uint8_t {
      kNothing,  // always
      kSide,     // if one branch takes one side
      kUnknown,
    };
    Kind kind = Kind::kUnknown;
    uint32_t branch = 0;  // kSide: the block that ends with the branch
    uint32_t side = 0;    // kSide: the index of the successor
  };
  Decision DecisionFor(uint32_t block) const;

  // A loop with one entrance, its header, and one back edge, from its latch.
  struct Loop {
    uint32_t header = 0, latch = 0;
    std::vector<bool> blocks;                          // by block: whether it is in the loop
    std::vector<std::pair<uint32_t, uint32_t>> exits;  // edges that leave the loop
  };
  // By decreasing size, so that a loop precedes the loops inside of it.
  const std::vector<Loop>& loops() const { return loops_; }

 private:
  void FindLoops();

  std::vector<std::vector<uint32_t>> successors_, predecessors_;
  std::vector<std::vector<bool>> dominates_, follows_;
  std::vector<Loop> loops_;
};

}  // namespace gpusan
