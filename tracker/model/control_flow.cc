// Paths through the blocks of a function.
#include "tracker/model/control_flow.h"

#include <algorithm>
#include <map>

#include "tracker/model/dominators.h"

namespace gpusan {
namespace {

constexpr size_t kMaxBlocks = 600;

using Sets = std::vector<std::vector<bool>>;

// The nodes that each path from the root of `dominators` to each of the first `count` nodes passes.
// Of an unreachable node: all nodes.
Sets PassedBy(const std::vector<uint32_t>& dominators, uint32_t root, size_t count) {
  Sets sets(count);
  for (uint32_t node = 0; node < count; ++node) {
    sets[node].assign(count, dominators[node] == kNoDominator);
    if (dominators[node] == kNoDominator) continue;
    uint32_t above = node;
    for (; above != root; above = dominators[above]) sets[node][above] = true;
    if (root < count) sets[node][root] = true;
  }
  return sets;
}

}  // namespace

ControlFlow::ControlFlow(std::vector<std::vector<uint32_t>> successors)
    : successors_(std::move(successors)) {
  const size_t count = successors_.size();
  if (count == 0 || count > kMaxBlocks) return;
  predecessors_.resize(count);
  const auto end = static_cast<uint32_t>(count);  // one more node, which all ends lead to
  std::vector<std::vector<uint32_t>> backwards(count + 1);
  for (uint32_t from = 0; from < count; ++from) {
    for (const uint32_t to : successors_[from]) predecessors_[to].push_back(from);
    if (successors_[from].empty()) backwards[end].push_back(from);
  }
  std::copy(predecessors_.begin(), predecessors_.end(), backwards.begin());
  dominates_ = PassedBy(ImmediateDominators(successors_, 0), 0, count);
  follows_ = PassedBy(ImmediateDominators(backwards, end), end, count);
  FindLoops();
}

ControlFlow::Decision ControlFlow::DecisionFor(uint32_t block) const {
  Decision decision;
  bool decided = false;
  for (uint32_t from = 0; from < successors_.size(); ++from) {
    // A branch after the block decides only whether it runs again.
    if (successors_[from].size() < 2 || Dominates(block, from) || Follows(block, from)) continue;
    for (uint32_t i = 0; i < successors_[from].size(); ++i) {
      if (!Follows(block, successors_[from][i])) continue;
      if (decided) return Decision();
      decided = true;
      decision = {Decision::Kind::kSide, from, i};
    }
  }
  // Without a decision a block that the entry need not reach is unknown.
  if (!decided && (block == 0 || Follows(block, 0))) decision.kind = Decision::Kind::kNothing;
  return decision;
}

void ControlFlow::FindLoops() {
  const auto count = static_cast<uint32_t>(successors_.size());
  std::map<uint32_t, std::vector<uint32_t>> latches;  // by header
  for (uint32_t from = 0; from < count; ++from) {
    for (const uint32_t to : successors_[from]) {
      if (Dominates(to, from)) latches[to].push_back(from);
    }
  }
  for (const auto& [header, ends] : latches) {
    if (ends.size() != 1) continue;
    Loop loop;
    loop.header = header;
    loop.latch = ends[0];
    loop.blocks.resize(count);
    loop.blocks[header] = true;
    std::vector<uint32_t> open = {loop.latch};
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      if (loop.blocks[block]) continue;
      loop.blocks[block] = true;
      open.insert(open.end(), predecessors_[block].begin(), predecessors_[block].end());
    }
    for (uint32_t block = 0; block < count; ++block) {
      if (!loop.blocks[block]) continue;
      for (const uint32_t to : successors_[block]) {
        if (!loop.blocks[to]) loop.exits.emplace_back(block, to);
      }
    }
    loops_.push_back(std::move(loop));
  }
  std::stable_sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) {
    return std::count(a.blocks.begin(), a.blocks.end(), true) >
           std::count(b.blocks.begin(), b.blocks.end(), true);
  });
}

}  // namespace gpusan
