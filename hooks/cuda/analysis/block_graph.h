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
  uint32_t end = 0;                  // index behind the last instruction
  std::vector<uint32_t> successors;  // indices of blocks
  bool ends = false;                 // a thread may end behind its last instruction
  bool reachable = false;
  bool always = false;  // every thread of the grid executes it
  uint32_t order = 0;   // reverse postorder of a depth-first search: most predecessors come first
};

// Sets `reachable`, `always` and `order` of blocks whose other members are set. Block 0 is the
// entry.
void OrderBlocks(std::vector<Block>* blocks);

// Derives for each block which threads execute it. A thread that executes a block has executed its
// dominators, and it has left the last one in the direction of the block. A block that every path
// from its dominator visits has the dominator's conditions.
//
// Exact values are the same in all iterations of a loop, unless they name the iteration. Where a
// block in a known loop has no further condition, it runs in each iteration.
class BlockConditions {
 public:
  // `blocks`: ordered; they must outlive this object.
  explicit BlockConditions(const std::vector<Block>& blocks);

  // The reachable blocks, most predecessors first.
  const std::vector<uint32_t>& order() const { return order_; }
  const std::vector<uint32_t>& PredecessorsOf(uint32_t block) const { return predecessors_[block]; }
  bool Dominates(uint32_t above, uint32_t block) const;

  // The innermost loop that is known around each block, by its header; UINT32_MAX: none.
  void SetLoops(std::vector<uint32_t> header_of) { header_of_ = std::move(header_of); }

  // Sets the conditions of a block. Requires those of its dominators and of the edges from them.
  void Enter(uint32_t block);
  // Removes guards of a block: its conditions are incomplete then.
  void Forget(uint32_t block, const std::function<bool(const AccessGuard&)>& is_forgotten);
  // When a thread that leaves `from` goes to `to`.
  void SetEdge(uint32_t from, uint32_t to, Condition condition);

  // nullptr: it was not set.
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
