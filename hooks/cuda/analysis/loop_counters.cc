// Registers to which each iteration of a loop adds the same value, in a fixed point over the basic
// blocks.
#include "hooks/cuda/analysis/loop_counters.h"

namespace gpusan::cuda {

void LoopCounters::FindLoopsOf(const std::vector<Block>& blocks, const BlockConditions& graph) {
  loops_of_.assign(blocks.size(), {});
  loops_ = FindLoops(blocks, graph);
  for (size_t i = 0; i < loops_.size(); ++i) {
    for (const uint32_t block : loops_[i].blocks)
      loops_of_[block].push_back(static_cast<uint16_t>(i));
  }
}

LoopCounters::Edge LoopCounters::EdgeOf(uint32_t from, uint32_t to) const {
  Edge edge;
  for (const uint16_t loop : loops_of_[from]) {
    if (!loops_[loop].Contains(to)) edge.left.push_back(loop);
  }
  for (const uint16_t loop : loops_of_[to]) {
    if (loops_[loop].header != to) continue;
    edge.header = loop;
    edge.back = loops_[loop].Contains(from);
  }
  return edge;
}

bool LoopCounters::NamesAny(Id value) {
  enum : uint8_t { kOpen, kNo, kYes };
  if (names_loops_.size() <= value) names_loops_.resize(value + 1);
  if (names_loops_[value] == kOpen)
    names_loops_[value] = values_.NamesAny(table_[value].expression) ? kYes : kNo;
  return names_loops_[value] == kYes;
}

LoopCounters::Id LoopCounters::Behind(const Edge& edge, Id value) {
  if (!seeded_ || !NamesAny(value)) return value;
  Value behind = table_[value];
  for (const uint16_t loop : edge.left) {
    if (values_.Names(behind.expression, loop))
      behind.expression = LoopValues::Forget(behind.expression, loop);
  }
  if (edge.back && values_.Names(behind.expression, edge.header))
    behind.expression = values_.Later(behind.expression, edge.header, -1);
  if (behind.shape == Value::Shape::kWord) behind.expression = LowWord(behind.expression);
  return table_.Intern(std::move(behind));
}

// Remembers that an iteration adds the same value to a register, if it does.
void LoopCounters::Find(const Edge& edge, uint32_t reg, Id first, Id next) {
  if (first == next || first == ValueTable::kUndefined) return;
  const Value &before = table_[first], &after = table_[next];
  const bool word = before.shape == Value::Shape::kWord;
  if (before.shape != after.shape || (!word && before.shape != Value::Shape::kHigh) ||
      before.expression.inexact || after.expression.inexact ||
      before.expression.HasWordConditions() || after.expression.HasWordConditions())
    return;
  Expression step = Sum(after.expression, before.expression, -1);
  if (word) step = LowWord(step);
  if (step.inexact || step.terms.empty()) return;
  counters_.try_emplace({edge.header, reg}, Counter{std::move(step)});
}

bool LoopCounters::Join(const Edge& edge, uint32_t reg, Id value, Id* entry, bool* changed) {
  if (edge.header == Edge::kNone) return false;
  if (!seeded_) {
    if (edge.back) Find(edge, reg, *entry, value);
    return false;
  }
  const auto found = counters_.find({edge.header, reg});
  if (found == counters_.end() || found->second.failed) return false;
  Counter& counter = found->second;
  if (edge.back || counter.first != ValueTable::kUndefined) {
    counter.failed = value != (edge.back ? *entry : counter.first);
    return !counter.failed;
  }
  Value seed = table_[value];
  const Expression iteration = Expression::Of(IterationOf(edge.header));
  seed.expression = Sum(seed.expression, Product(counter.step, iteration));
  counter.failed = value == ValueTable::kUndefined || seed.shape == Value::Shape::kSign ||
                   seed.expression.inexact;
  if (counter.failed) return false;
  if (seed.shape == Value::Shape::kWord) seed.expression = LowWord(seed.expression);
  counter.first = value;
  *entry = table_.Intern(std::move(seed));
  *changed = true;
  return true;
}

std::vector<uint32_t> LoopCounters::HeadersOfBlocks() const {
  if (Empty()) return {};
  std::vector<uint32_t> header_of(loops_of_.size(), UINT32_MAX);
  for (uint32_t block = 0; block < loops_of_.size(); ++block) {
    if (!loops_of_[block].empty()) header_of[block] = loops_[loops_of_[block].back()].header;
  }
  return header_of;
}

}  // namespace gpusan::cuda
