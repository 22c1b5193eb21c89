// Paths through the blocks of a function: which blocks are on all of them, and its loops.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gpusan {

class ControlFlow {
 public:
  // `successors`: of each block. Block 0 is the entry. A block without successors is an end.
  explicit ControlFlow(std::vector<std::vector<uint32_t>> successors);

  // False if there are too many blocks: then nothing else is known.
  bool known() const { return !dominates_.empty(); }
  const std::vector<uint32_t>& successors(uint32_t block) const { return successors_[block]; }
  // Whether each path from the entry to `block` passes `by`.
  bool Dominates(uint32_t by, uint32_t block) const { return dominates_[block][by]; }
  // Whether each path from `block` to an end passes `by`.
  bool Follows(uint32_t by, uint32_t block) const { return follows_[block][by]; }

  // What decides whether a block runs at least once.
  struct Decision {
    enum class Kind : uint8_t {
      kNothing,  // it runs
      kSide,     // it follows one side of one branch only
      kUnknown,
    };
    Kind kind = Kind::kUnknown;
    uint32_t branch = 0;  // kSide: the block whose end is the branch
    uint32_t side = 0;    // index of its successor
  };
  // Precondition: known().
  Decision DecisionFor(uint32_t block) const;

  // A loop that is entered by its header only, and returns to it from one block only.
  struct Loop {
    uint32_t header = 0, latch = 0;
    std::vector<bool> blocks;
    std::vector<std::pair<uint32_t, uint32_t>> exits;  // edges out of it
  };
  // Larger loops first, so that a loop precedes those inside of it.
  const std::vector<Loop>& loops() const { return loops_; }

 private:
  void FindLoops();

  std::vector<std::vector<uint32_t>> successors_, predecessors_;
  std::vector<std::vector<bool>> dominates_, follows_;
  std::vector<Loop> loops_;
};

}  // namespace gpusan
