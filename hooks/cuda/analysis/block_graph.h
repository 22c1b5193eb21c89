// The basic blocks of a kernel as a graph: their order, their dominators, and which threads execute
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "hooks/cuda/analysis/conditions.h"

namespace gpusan::cuda {

struct Block {
  uint32_t first = 0;                // index of the first instruction
  uint32_t end = 0;                  // index after the last instruction
  std::vector<uint32_t> successors;  // indices of blocks
  bool ends = false;                 // a thread may end after its last instruction
  bool reachable = false;
  bool always = false;  // every thread of the grid executes it
  uint32_t order = 0;   // reverse postorder of a depth-first search
};

// Sets `reachable`, `always` and `order` of all blocks. Requires the other members. Block 0 is the
// entry.
void OrderBlocks(std::vector<Block>* blocks);

// The graph with reversed edges. The end of a thread is a node of its own, after the last block.
struct BackwardGraph {
  std::vector<std::vector<uint32_t>> before;  // by node: its predecessors
  // By block: its immediate postdominator. kNoJoin: no thread gets from the block to the end.
  std::vector<uint32_t> joins;
  static constexpr uint32_t kNoJoin = UINT32_MAX;
};
// `is_endless`: no thread leaves the block. Requires reachable blocks to be marked.
BackwardGraph Backward(const std::vector<Block>& blocks,
                       const std::function<bool(uint32_t)>& is_endless);

// Returns the blocks that a thread can enter after one of `from`.
std::vector<bool> BlocksBehind(const std::vector<Block>& blocks, std::vector<uint32_t> from);
// Whether a loop that visits `block` visits a block for which `is_one` is true.
bool LoopVisits(const std::vector<Block>& blocks, uint32_t block,
                const std::function<bool(const Block&)>& is_one);

// Derives for each block the conditions under which a thread executes it. A thread that executes a
// block has executed its dominators, and has left the immediate dominator in the direction of the
// block. A block that every path from its dominator visits has the conditions of the dominator.
//
// An exact value is the same in all iterations of a loop, unless it depends on the iteration. A
// block of a known loop without a further condition runs in each iteration.
class BlockConditions {
 public:
  // Requires blocks that OrderBlocks has ordered and that outlive this object.
  explicit BlockConditions(const std::vector<Block>& blocks);

  // The reachable blocks, predecessors mostly before successors.
  const std::vector<uint32_t>& order() const { return order_; }
  const std::vector<uint32_t>& PredecessorsOf(uint32_t block) const { return predecessors_[block]; }
  bool Dominates(uint32_t above, uint32_t block) const;

  // Sets the innermost known loop around each block, as the header of the loop. UINT32_MAX: none.
  void SetLoops(std::vector<uint32_t> header_of) { header_of_ = std::move(header_of); }

  // Computes the conditions of a block. Requires those of its dominators and of the edges from
  // them.
  void Enter(uint32_t block);
  // Removes the guards of a block for which `is_forgotten` is true. If there are any, the
  // conditions of the block are incomplete.
  void Forget(uint32_t block, const std::function<bool(const AccessGuard&)>& is_forgotten);
  // Sets the condition under which a thread that leaves `from` continues at `to`.
  void SetEdge(uint32_t from, uint32_t to, Condition condition);

  // Returns nullptr if the condition was not set.
  const Condition* EdgeOf(uint32_t from, uint32_t to) const;
  const Conditions& Of(uint32_t block) const { return conditions_[block]; }

 private:
  bool EveryPathVisits(uint32_t from, uint32_t block) const;

  const std::vector<Block>& blocks_;
  std::vector<uint32_t> order_;
  std::vector<std::vector<uint32_t>> predecessors_;  // reachable ones
  std::vector<uint32_t> dominator_;                  // the immediate one; of the entry: itself
  std::vector<Conditions> conditions_;
  std::vector<uint32_t> header_of_;                // of the innermost loop
  std::unordered_map<uint64_t, Condition> edges_;  // the key holds both blocks
};

}  // namespace gpusan::cuda
