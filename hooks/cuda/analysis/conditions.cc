// The conditions under which a thread executes an instruction, as comparisons of words.
#include "hooks/cuda/analysis/conditions.h"

#include <algorithm>
#include <cstddef>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxGuards = 8;

Condition Joined(const Condition& a, const Condition& b, bool any) {
  Condition both = a;
  both.any = any;
  both.guards.insert(both.guards.end(), b.guards.begin(), b.guards.end());
  both.known = both.guards.size() <= kMaxGuards;
  return both;
}

}  // namespace

AccessGuard AccessGuard::Opposite() const {
  AccessGuard guard = *this;
  switch (guard.relation) {
    case Relation::kLess:
      guard.relation = Relation::kGreaterOrEqual;
      break;
    case Relation::kEqual:
      guard.relation = Relation::kNotEqual;
      break;
    case Relation::kLessOrEqual:
      guard.relation = Relation::kGreater;
      break;
    case Relation::kGreater:
      guard.relation = Relation::kLessOrEqual;
      break;
    case Relation::kNotEqual:
      guard.relation = Relation::kEqual;
      break;
    case Relation::kGreaterOrEqual:
      guard.relation = Relation::kLess;
      break;
  }
  return guard;
}

Condition Condition::Negated() const {
  Condition negated = *this;
  negated.any = !any;
  for (AccessGuard& guard : negated.guards) guard = guard.Opposite();
  return negated;
}

// A condition without guards is always true, or never if `any`.
Condition Both(const Condition& a, const Condition& b) {
  if (a.known && a.guards.empty()) return a.any ? a : b;
  if (b.known && b.guards.empty()) return b.any ? b : a;
  return a.IsConjunction() && b.IsConjunction() ? Joined(a, b, false) : Condition();
}

Condition Either(const Condition& a, const Condition& b) {
  return Both(a.Negated(), b.Negated()).Negated();
}

void Conditions::Add(const Condition& condition) {
  if (!condition.IsConjunction()) {
    complete = false;
    return;
  }
  for (const AccessGuard& guard : condition.guards) {
    if (std::find(guards.begin(), guards.end(), guard) != guards.end()) continue;
    if (guards.size() == kMaxGuards) {
      complete = false;
      return;
    }
    guards.push_back(guard);
  }
}

}  // namespace gpusan::cuda
