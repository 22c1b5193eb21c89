// The bounds of iterations, and what accesses in loops depend on.
#include "hooks/cuda/analysis/loop_bounds.h"

#include <algorithm>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxLoopsOfAccess = 4;

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

bool LoopBounds::GuardNames(const AccessGuard& guard, uint16_t loop) const {
  return counters_.values().Names(guard.left, loop) || counters_.values().Names(guard.right, loop);
}

bool LoopBounds::NamesOtherLoop(const AccessGuard& guard, uint32_t block) const {
  if (counters_.Empty()) return false;
  for (uint16_t loop = 0; loop < counters_.loops().size(); ++loop) {
    if (!counters_.loops()[loop].Contains(block) && GuardNames(guard, loop)) return true;
  }
  return false;
}

bool LoopBounds::NamesAnyLoop(const Condition& condition) const {
  return !counters_.Empty() && std::any_of(condition.guards.begin(), condition.guards.end(),
                                           [this](const AccessGuard& guard) {
                                             return counters_.values().NamesAny(guard.left) ||
                                                    counters_.values().NamesAny(guard.right);
                                           });
}

void LoopBounds::ForgetOtherLoops(Condition* condition, uint32_t block) const {
  const auto names = [&](const AccessGuard& guard) { return NamesOtherLoop(guard, block); };
  if (std::any_of(condition->guards.begin(), condition->guards.end(), names)) *condition = {};
}

// A comparison for inequality decides as an order does, if the counter cannot pass the bound.
bool LoopBounds::MakeOrder(uint16_t loop, AccessGuard* guard) {
  using Relation = AccessGuard::Relation;
  if (guard->relation != Relation::kNotEqual) return guard->relation != Relation::kEqual;
  const Expression difference = Sum(guard->left, guard->right, -1);
  const Expression first = counters_.values().First(difference, loop);
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

// Knows loops that end after their body, where the condition of the first iteration is in front of
// the loop or constant.
std::optional<LoopBounds::BoundOfLoop> LoopBounds::BoundOf(uint16_t number,
                                                           const std::vector<Block>& blocks,
                                                           const BlockConditions& conditions) {
  const NaturalLoop& loop = counters_.loops()[number];
  const Condition* again = conditions.EdgeOf(loop.latch, loop.header);
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
    *side = counters_.values().Later(*side, number, -1);
    if (side->inexact) return std::nullopt;
  }
  if (!MakeOrder(number, &condition)) return std::nullopt;
  const Expression first = counters_.values().First(*NegativeForm(condition), number);
  int64_t constant = 0;
  if (first.inexact || (first.IsConstant(&constant) && constant >= 0)) return std::nullopt;
  if (!first.IsConstant(&constant)) {
    const bool any_order = found.bound.next.relation == AccessGuard::Relation::kNotEqual;
    for (const AccessGuard& guard : conditions.Of(loop.header).guards) {
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
    found.exact = found.exact && !blocks[block].ends;
    for (const uint32_t next : blocks[block].successors)
      found.exact = found.exact && (block == loop.latch || loop.Contains(next));
  }
  return found;
}

void LoopBounds::Find(const std::vector<Block>& blocks, const BlockConditions& conditions) {
  bounds_.assign(counters_.loops().size(), std::nullopt);
  if (counters_.Empty()) return;
  for (uint16_t i = 0; i < bounds_.size(); ++i) bounds_[i] = BoundOf(i, blocks, conditions);
}

void LoopBounds::Bound(uint32_t block, Expression* address, Conditions* conditions) {
  if (counters_.Empty()) return;
  std::vector<LoopBound>& bounds = conditions->loops;
  bool known = true;
  const auto named = [&](uint16_t loop) {
    return counters_.values().Names(*address, loop) ||
           std::any_of(conditions->guards.begin(), conditions->guards.end(),
                       [&](const AccessGuard& guard) { return GuardNames(guard, loop); }) ||
           std::any_of(bounds.begin(), bounds.end(),
                       [&](const LoopBound& one) { return GuardNames(one.condition, loop); });
  };
  for (size_t i = counters_.loops().size(); i-- != 0;) {
    const auto loop = static_cast<uint16_t>(i);
    if (!named(loop)) continue;
    known = known && counters_.loops()[i].Contains(block) && bounds_[i] &&
            bounds.size() < kMaxLoopsOfAccess;
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
  for (uint16_t loop = 0; loop < counters_.loops().size(); ++loop) {
    if (counters_.values().Names(*address, loop)) *address = LoopValues::Forget(*address, loop);
    const auto names = [&](const AccessGuard& guard) { return GuardNames(guard, loop); };
    if (std::erase_if(conditions->guards, names) != 0) conditions->complete = false;
  }
}

}  // namespace gpusan::cuda
