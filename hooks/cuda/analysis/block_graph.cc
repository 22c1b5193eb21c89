// The basic blocks of a kernel as a graph: their order, their dominators, and which threads execute
// them.
#include "hooks/cuda/analysis/block_graph.h"

#include <algorithm>

#include "tracker/model/dominators.h"

namespace gpusan::cuda {
namespace {

// Numbers the reachable blocks. Without recursion, since a kernel may have thousands of blocks.
void MarkReachable(std::vector<Block>& blocks) {
  struct Visit {
    uint32_t block;
    size_t next = 0;
  };
  std::vector<Visit> stack{{0}};
  blocks[0].reachable = true;
  uint32_t order = static_cast<uint32_t>(blocks.size());
  while (!stack.empty()) {
    Visit& visit = stack.back();
    const std::vector<uint32_t>& successors = blocks[visit.block].successors;
    if (visit.next == successors.size()) {
      blocks[visit.block].order = --order;
      stack.pop_back();
      continue;
    }
    const uint32_t next = successors[visit.next++];
    if (blocks[next].reachable) continue;
    blocks[next].reachable = true;
    stack.push_back({next});
  }
}

// The blocks from the entry up to the first one that some threads leave in another way.
void MarkAlways(std::vector<Block>& blocks) {
  uint32_t number = 0;
  while (!blocks[number].always) {
    Block& block = blocks[number];
    block.always = true;
    if (block.successors.size() != 1 || block.ends) return;
    number = block.successors[0];
  }
}

}  // namespace

void OrderBlocks(std::vector<Block>* blocks) {
  MarkReachable(*blocks);
  MarkAlways(*blocks);
}

static_assert(BackwardGraph::kNoJoin == kNoDominator);

BackwardGraph Backward(const std::vector<Block>& blocks,
                       const std::function<bool(uint32_t)>& is_endless) {
  BackwardGraph graph;
  const auto end = static_cast<uint32_t>(blocks.size());
  graph.before.resize(blocks.size() + 1);
  for (uint32_t i = 0; i < end; ++i) {
    const Block& block = blocks[i];
    if (!block.reachable || is_endless(i)) continue;
    if (block.ends || block.successors.empty()) graph.before[end].push_back(i);
    for (const uint32_t next : block.successors) graph.before[next].push_back(i);
  }
  graph.joins = ImmediateDominators(graph.before, end);
  return graph;
}

BlockConditions::BlockConditions(const std::vector<Block>& blocks)
    : blocks_(blocks), conditions_(blocks.size()) {
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].reachable) order_.push_back(i);
  }
  std::sort(order_.begin(), order_.end(),
            [&](uint32_t a, uint32_t b) { return blocks[a].order < blocks[b].order; });
  predecessors_.assign(blocks_.size(), {});
  std::vector<std::vector<uint32_t>> successors(blocks.size());
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].reachable) continue;
    successors[i] = blocks[i].successors;
    for (const uint32_t next : successors[i]) predecessors_[next].push_back(i);
  }
  dominator_ = ImmediateDominators(successors, 0);
}

bool BlockConditions::Dominates(uint32_t above, uint32_t block) const {
  while (block != above && block != 0) block = dominator_[block];
  return block == above;
}

// Whether a thread that ends, or that begins the next iteration of the innermost loop around
// `block`, has passed through `block` since `from`. Gives up, with false, where many blocks are in
// between.
bool BlockConditions::EveryPathVisits(uint32_t from, uint32_t block) const {
  constexpr unsigned kMaxBlocks = 256;
  unsigned visited = 0;
  std::vector<bool> seen(blocks_.size());
  std::vector<uint32_t> work{from};
  seen[from] = seen[block] = true;
  const uint32_t header = header_of_.empty() ? UINT32_MAX : header_of_[block];
  while (!work.empty()) {
    const uint32_t number = work.back();
    const Block& one = blocks_[number];
    work.pop_back();
    if (one.successors.empty() || one.ends || ++visited > kMaxBlocks) return false;
    for (const uint32_t next : one.successors) {
      if (next == header && block != header && Dominates(header, number)) return false;
      if (seen[next]) continue;
      seen[next] = true;
      work.push_back(next);
    }
  }
  return true;
}

void BlockConditions::Enter(uint32_t block) {
  if (block == 0) return;
  const uint32_t above = dominator_[block];
  Conditions conditions = conditions_[above];
  // The first iteration of a loop comes from outside.
  uint32_t outside = 0;
  for (const uint32_t from : predecessors_[block]) outside += !Dominates(block, from);
  const auto edge = edges_.find(uint64_t{above} << 32 | block);
  if (outside == 1 && edge != edges_.end() && edge->second.known) {
    conditions.Add(edge->second);
  } else if (conditions.complete) {
    conditions.complete = EveryPathVisits(above, block);
  }
  conditions_[block] = std::move(conditions);
}

void BlockConditions::Forget(uint32_t block,
                             const std::function<bool(const AccessGuard&)>& is_forgotten) {
  Conditions& conditions = conditions_[block];
  if (std::erase_if(conditions.guards, is_forgotten) != 0) conditions.complete = false;
}

const Condition* BlockConditions::EdgeOf(uint32_t from, uint32_t to) const {
  const auto edge = edges_.find(uint64_t{from} << 32 | to);
  return edge != edges_.end() ? &edge->second : nullptr;
}

void BlockConditions::SetEdge(uint32_t from, uint32_t to, Condition condition) {
  edges_[uint64_t{from} << 32 | to] = std::move(condition);
}

std::vector<bool> BlocksBehind(const std::vector<Block>& blocks, std::vector<uint32_t> from) {
  std::vector<bool> behind(blocks.size());
  while (!from.empty()) {
    const uint32_t block = from.back();
    from.pop_back();
    for (const uint32_t next : blocks[block].successors) {
      if (!behind[next]) from.push_back(next);
      behind[next] = true;
    }
  }
  return behind;
}

bool LoopVisits(const std::vector<Block>& blocks, uint32_t block,
                const std::function<bool(const Block&)>& is_one) {
  const std::vector<bool> behind = BlocksBehind(blocks, {block});
  if (!behind[block]) return false;
  for (uint32_t other = 0; other < blocks.size(); ++other) {
    if (behind[other] && is_one(blocks[other]) && BlocksBehind(blocks, {other})[block]) return true;
  }
  return false;
}

}  // namespace gpusan::cuda
