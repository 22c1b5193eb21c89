// Counters of loops in the data flow, and the bounds of iterations (DataFlow).
//
// A first run of the fixed point finds registers to which an iteration adds the same value. Further
// runs begin with them as polynomials of the iteration, and drop those for which that does not hold
// at every edge into the header.
#include <algorithm>

#include "hooks/cuda/machine_code/data_flow.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxLoopsOfAccess = 4;
// The loops of larger kernels are not followed: the further runs of the fixed point take too long.
constexpr size_t kMaxInstructions = 8192;

// The value that is negative if, and only if, the guard holds; nullopt for equality.
std::optional<Expression> NegativeForm(const AccessGuard& guard) {
  using Relation = AccessGuard::Relation;
  switch (guard.relation) {
    case Relation::kLess:
      return Sum(guard.left, guard.right, -1);
    case Relation::kLessOrEqual:
      return Sum(Sum(guard.left, guard.right, -1), Expression::Constant(-1));
    case Relation::kGreater:
      return Sum(guard.right, guard.left, -1);
    case Relation::kGreaterOrEqual:
      return Sum(Sum(guard.right, guard.left, -1), Expression::Constant(-1));
    case Relation::kEqual:
    case Relation::kNotEqual:
      break;
  }
  return std::nullopt;
}

}  // namespace

void DataFlow::FindLoopsOfBlocks() {
  loops_of_.assign(flow_.blocks.size(), {});
  if (flow_.instructions.size() > kMaxInstructions) return;
  const BlockConditions graph(flow_.blocks);
  loops_ = FindLoops(flow_.blocks, graph);
  for (size_t i = 0; i < loops_.size(); ++i) {
    for (const uint32_t block : loops_[i].blocks)
      loops_of_[block].push_back(static_cast<uint16_t>(i));
  }
}

DataFlow::LoopEdge DataFlow::LoopEdgeOf(uint32_t from, uint32_t to) const {
  LoopEdge edge;
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

bool DataFlow::NamesAnyLoop(ValueTable::Id value) {
  enum : uint8_t { kOpen, kNo, kYes };
  if (names_loops_.size() <= value) names_loops_.resize(value + 1);
  if (names_loops_[value] == kOpen)
    names_loops_[value] = loop_values_.NamesAny(table_[value].expression) ? kYes : kNo;
  return names_loops_[value] == kYes;
}

// What a register that holds `value` at the end of the edge's first block holds behind the edge.
ValueTable::Id DataFlow::Behind(const LoopEdge& edge, ValueTable::Id value) {
  if (!seeded_ || !NamesAnyLoop(value)) return value;
  Value behind = table_[value];
  for (const uint16_t loop : edge.left) {
    if (loop_values_.Names(behind.expression, loop))
      behind.expression = LoopValues::Forget(behind.expression, loop);
  }
  if (edge.back && loop_values_.Names(behind.expression, edge.header))
    behind.expression = loop_values_.Later(behind.expression, edge.header, -1);
  if (behind.shape == Value::Shape::kWord) behind.expression = LowWord(behind.expression);
  return table_.Intern(std::move(behind));
}

// Remembers that an iteration adds the same value to a register, if it does.
void DataFlow::FindCounter(const LoopEdge& edge, uint16_t reg, ValueTable::Id first,
                           ValueTable::Id next) {
  if (first == next || first == ValueTable::kUndefined) return;
  const Value &before = table_[first], &after = table_[next];
  const bool word = before.shape == Value::Shape::kWord;
  if (before.shape != after.shape || (!word && before.shape != Value::Shape::kHigh) ||
      before.expression.inexact || after.expression.inexact)
    return;
  Expression step = Sum(after.expression, before.expression, -1);
  if (word) step = LowWord(step);
  if (step.inexact || step.terms.empty()) return;
  counters_.try_emplace({edge.header, reg}, Counter{std::move(step)});
}

// Returns whether the register is a counter of the loop, whose value the entry holds.
bool DataFlow::JoinCounter(const LoopEdge& edge, uint16_t reg, ValueTable::Id value,
                           ValueTable::Id* entry, bool* changed) {
  if (!seeded_) {
    if (edge.back) FindCounter(edge, reg, *entry, value);
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

const char* DataFlow::SolveLoops() {
  constexpr int kMaxRuns = 4;
  seeded_ = true;
  for (int run = 0; run < kMaxRuns && !counters_.empty(); ++run) {
    for (auto& [key, counter] : counters_) counter.first = ValueTable::kUndefined;
    if (Solve() != nullptr) break;
    if (std::erase_if(counters_, [](const auto& one) { return one.second.failed; }) == 0)
      return nullptr;
  }
  counters_.clear();
  seeded_ = false;
  return Solve();
}

bool DataFlow::GuardNames(const AccessGuard& guard, uint16_t loop) const {
  return loop_values_.Names(guard.left, loop) || loop_values_.Names(guard.right, loop);
}

// Conditions that name the iteration of a loop do not hold outside of it.
bool DataFlow::NamesOtherLoop(const AccessGuard& guard, uint32_t block) const {
  if (counters_.empty()) return false;
  for (uint16_t loop = 0; loop < loops_.size(); ++loop) {
    if (!loops_[loop].Contains(block) && GuardNames(guard, loop)) return true;
  }
  return false;
}

void DataFlow::ForgetOtherLoops(Condition* condition, uint32_t block) const {
  const auto names = [&](const AccessGuard& guard) { return NamesOtherLoop(guard, block); };
  if (std::any_of(condition->guards.begin(), condition->guards.end(), names)) *condition = {};
}

// A comparison for inequality decides as an order does, if the counter cannot pass the bound.
bool DataFlow::MakeOrder(uint16_t loop, AccessGuard* guard) {
  using Relation = AccessGuard::Relation;
  if (guard->relation != Relation::kNotEqual) return guard->relation != Relation::kEqual;
  const Expression difference = Sum(guard->left, guard->right, -1);
  const Expression first = loop_values_.First(difference, loop);
  const Expression added = Sum(difference, first, -1);
  if (added.terms.size() != 1 || added.terms[0].Degree() != 1) return false;
  const int64_t step = added.terms[0].coefficient;
  int64_t constant = 0;
  const bool hits = first.IsConstant(&constant) && constant % step == 0 && constant / step < 0;
  if (!hits && step != 1 && step != -1) return false;
  guard->relation = step > 0 ? Relation::kLess : Relation::kGreater;
  guard->is_signed = true;
  return true;
}

// Knows loops that end behind their body, where the condition of the first iteration is in front of
// the loop or constant.
std::optional<DataFlow::BoundOfLoop> DataFlow::FindBound(uint16_t number) {
  const NaturalLoop& loop = loops_[number];
  const Condition* again = conditions_->EdgeOf(loop.latch, loop.header);
  if (again == nullptr || !again->IsConjunction()) return std::nullopt;
  BoundOfLoop found;
  found.exact = again->guards.size() == 1;
  bool named = false;
  for (const AccessGuard& guard : again->guards) {
    if (!GuardNames(guard, number)) continue;
    if (named) return std::nullopt;
    named = true;
    found.bound = {number, guard, guard};
  }
  AccessGuard& condition = found.bound.condition;
  if (!named) return std::nullopt;
  for (Expression* side : {&condition.left, &condition.right}) {
    *side = loop_values_.Later(*side, number, -1);
    if (side->inexact) return std::nullopt;
  }
  if (!MakeOrder(number, &condition)) return std::nullopt;
  const Expression first = loop_values_.First(*NegativeForm(condition), number);
  int64_t constant = 0;
  if (first.inexact || (first.IsConstant(&constant) && constant >= 0)) return std::nullopt;
  if (!first.IsConstant(&constant)) {
    const bool any_order = found.bound.next.relation == AccessGuard::Relation::kNotEqual;
    for (const AccessGuard& guard : conditions_->Of(loop.header).guards) {
      const std::optional<Expression> own = NegativeForm(guard);
      if (!own || guard.wide != condition.wide || own->terms != first.terms || own->inexact ||
          !std::includes(first.conditions.begin(), first.conditions.end(), own->conditions.begin(),
                         own->conditions.end()) ||
          (!any_order && guard.is_signed != condition.is_signed))
        continue;
      condition.is_signed = guard.is_signed;
      found.front = guard;
      break;
    }
    if (!found.front) return std::nullopt;
  }
  for (const uint32_t block : loop.blocks) {
    found.exact = found.exact && !flow_.blocks[block].ends;
    for (const uint32_t next : flow_.blocks[block].successors)
      found.exact = found.exact && (block == loop.latch || loop.Contains(next));
  }
  return found;
}

void DataFlow::FindBounds() {
  bounds_.assign(loops_.size(), std::nullopt);
  if (counters_.empty()) return;
  for (uint16_t i = 0; i < loops_.size(); ++i) bounds_[i] = FindBound(i);
}

// Adds the bounds of the loops that the address or a condition names. Where one of them is not
// known, nothing is known of what depends on loops.
void DataFlow::BoundLoops(uint32_t block, Expression* address, Conditions* conditions) {
  if (counters_.empty()) return;
  std::vector<LoopBound>& bounds = conditions->loops;
  bool known = true;
  const auto named = [&](uint16_t loop) {
    return loop_values_.Names(*address, loop) ||
           std::any_of(conditions->guards.begin(), conditions->guards.end(),
                       [&](const AccessGuard& guard) { return GuardNames(guard, loop); }) ||
           std::any_of(bounds.begin(), bounds.end(),
                       [&](const LoopBound& one) { return GuardNames(one.condition, loop); });
  };
  for (size_t i = loops_.size(); i-- != 0;) {
    const auto loop = static_cast<uint16_t>(i);
    if (!named(loop)) continue;
    known = known && loops_[i].Contains(block) && bounds_[i] && bounds.size() < kMaxLoopsOfAccess;
    if (!known) break;
    bounds.insert(bounds.begin(), bounds_[i]->bound);
  }
  if (known) {
    for (const LoopBound& bound : bounds) {
      const BoundOfLoop& of_loop = *bounds_[bound.loop];
      conditions->complete = conditions->complete && of_loop.exact;
      if (of_loop.front) std::erase(conditions->guards, *of_loop.front);
    }
    return;
  }
  bounds.clear();
  for (uint16_t loop = 0; loop < loops_.size(); ++loop) {
    if (loop_values_.Names(*address, loop)) *address = LoopValues::Forget(*address, loop);
    const auto names = [&](const AccessGuard& guard) { return GuardNames(guard, loop); };
    if (std::erase_if(conditions->guards, names) != 0) conditions->complete = false;
  }
}

}  // namespace gpusan::cuda
