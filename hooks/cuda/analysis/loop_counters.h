// Registers to which each iteration of a loop adds the same value, in a fixed point over the basic
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/loops.h"
#include "hooks/cuda/analysis/value_table.h"

namespace gpusan::cuda {

// A first run of the fixed point finds registers to which an iteration adds the same value. Further
// runs begin with them as polynomials of the iteration, and drop those for which that does not hold
// at every edge into the header.
class LoopCounters {
 public:
  using Id = ValueTable::Id;

  // An edge between blocks, as loops see it.
  struct Edge {
    static constexpr uint16_t kNone = UINT16_MAX;
    std::vector<uint16_t> left;  // loops that it leaves
    uint16_t header = kNone;     // the loop whose header it enters
    bool back = false;           // from inside of that loop
  };

  // Both must outlive this object.
  LoopCounters(ValueTable* table, Extensions* extensions) : table_(*table), values_(extensions) {}

  void FindLoopsOf(const std::vector<Block>& blocks, const BlockConditions& graph);
  // Passes all loops without counters. Requires that FindLoopsOf was not called.
  void IgnoreLoopsOf(const std::vector<Block>& blocks) { loops_of_.assign(blocks.size(), {}); }

  const std::vector<NaturalLoop>& loops() const { return loops_; }
  const LoopValues& values() const { return values_; }
  LoopValues& values() { return values_; }
  bool Empty() const { return counters_.empty(); }
  Edge EdgeOf(uint32_t from, uint32_t to) const;
  // Whether the value depends on the iteration of a loop.
  bool NamesAny(Id value);
  // Returns what a register holds after the edge, if it holds `value` at the end of the edge's
  // first block.
  Id Behind(const Edge& edge, Id value);
  // Returns the value without the iterations of the loops for which `is_forgotten` is true.
  template <typename Predicate>
  Id Without(Id value, Predicate is_forgotten);
  // Joins `value`, which a register holds after the edge, into the entry of the block, if the
  // register is a counter. Returns whether it is one.
  bool Join(const Edge& edge, uint32_t reg, Id value, Id* entry, bool* changed);
  // Repeats the fixed point with the counters that the first run has found, until all of them hold.
  // `solve` returns nullptr, or why the fixed point was not reached.
  template <typename Solve>
  const char* SolveAgain(Solve solve);
  // The header of the innermost loop around each block, for BlockConditions::SetLoops.
  std::vector<uint32_t> HeadersOfBlocks() const;

 private:
  // A register to which each iteration adds `step`.
  struct Counter {
    Expression step;
    Id first = ValueTable::kUndefined;  // its value in the first iteration
    bool failed = false;
  };

  void Find(const Edge& edge, uint32_t reg, Id first, Id next);

  ValueTable& table_;
  LoopValues values_;
  std::vector<NaturalLoop> loops_;
  std::vector<std::vector<uint16_t>> loops_of_;                // by block, outer ones first
  std::map<std::pair<uint16_t, uint32_t>, Counter> counters_;  // by loop and register
  bool seeded_ = false;                                        // the run begins with the counters
  std::vector<uint8_t> names_loops_;                           // by value
};

template <typename Predicate>
LoopCounters::Id LoopCounters::Without(Id value, Predicate is_forgotten) {
  if (!NamesAny(value)) return value;
  Value rest = table_[value];
  for (uint16_t loop = 0; loop < loops_.size(); ++loop) {
    if (is_forgotten(loops_[loop]) && values_.Names(rest.expression, loop))
      rest.expression = LoopValues::Forget(rest.expression, loop);
  }
  return table_.Intern(std::move(rest));
}

template <typename Solve>
const char* LoopCounters::SolveAgain(Solve solve) {
  constexpr int kMaxRuns = 4;
  seeded_ = true;
  for (int run = 0; run < kMaxRuns && !counters_.empty(); ++run) {
    for (auto& [key, counter] : counters_) counter.first = ValueTable::kUndefined;
    if (solve() != nullptr) break;
    if (std::erase_if(counters_, [](const auto& one) { return one.second.failed; }) == 0)
      return nullptr;
  }
  counters_.clear();
  seeded_ = false;
  return solve();
}

}  // namespace gpusan::cuda
