// Paths through the blocks of a function.
#include "tracker/model/control_flow.h"

#include <algorithm>
#include <map>

namespace gpusan {
namespace {

constexpr size_t kMaxBlocks = 600;

using Edges = std::vector<std::vector<uint32_t>>;
using Sets = std::vector<std::vector<bool>>;

// One fixed point for both directions; [b][a]: each path from a root to b passes a.
Sets Solve(const Edges& edges, const std::vector<bool>& root) {
  const size_t count = edges.size();
  Sets sets(count, std::vector<bool>(count, true));
  for (size_t b = 0; b < count; ++b) {
    if (!root[b]) continue;
    sets[b].assign(count, false);
    sets[b][b] = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 0; b < count; ++b) {
      if (root[b]) continue;
      std::vector<bool> meet(count, true);
      for (const uint32_t from : edges[b]) {
        for (size_t a = 0; a < count; ++a) meet[a] = meet[a] && sets[from][a];
      }
      meet[b] = true;
      if (meet != sets[b]) {
        sets[b] = std::move(meet);
        changed = true;
      }
    }
  }
  return sets;
}

}  // namespace

ControlFlow::ControlFlow(std::vector<std::vector<uint32_t>> successors)
    : successors_(std::move(successors)) {
  const size_t count = successors_.size();
  if (count == 0 || count > kMaxBlocks) return;
  predecessors_.resize(count);
  std::vector<bool> entry(count, false), end(count, false);
  for (uint32_t from = 0; from < count; ++from) {
    for (const uint32_t to : successors_[from]) predecessors_[to].push_back(from);
    end[from] = successors_[from].empty();
  }
  entry[0] = true;
  dominates_ = Solve(predecessors_, entry);
  follows_ = Solve(successors_, end);
  FindLoops();
}

ControlFlow::Decision ControlFlow::DecisionFor(uint32_t block) const {
  Decision decision;
  bool decided = false;
  for (uint32_t from = 0; from < successors_.size(); ++from) {
    // A branch behind the block decides only whether it runs again.
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
