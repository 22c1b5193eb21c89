// The conditions under which a thread executes an instruction, as comparisons of words.
#include "hooks/cuda/analysis/conditions.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxGuards = 20;

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

std::optional<bool> Decide(const AccessGuard& guard) {
  int64_t a, b;
  if (!guard.left.IsConstant(&a) || !guard.right.IsConstant(&b) || !guard.left.conditions.empty() ||
      !guard.right.conditions.empty())
    return std::nullopt;
  const auto compare = [&guard](auto left, auto right) {
    switch (guard.relation) {
      case AccessGuard::Relation::kLess:
        return left < right;
      case AccessGuard::Relation::kEqual:
        return left == right;
      case AccessGuard::Relation::kLessOrEqual:
        return left <= right;
      case AccessGuard::Relation::kGreater:
        return left > right;
      case AccessGuard::Relation::kNotEqual:
        return left != right;
      case AccessGuard::Relation::kGreaterOrEqual:
        break;
    }
    return left >= right;
  };
  if (guard.wide) {
    return guard.is_signed ? compare(a, b)
                           : compare(static_cast<uint64_t>(a), static_cast<uint64_t>(b));
  }
  return guard.is_signed ? compare(static_cast<int32_t>(a), static_cast<int32_t>(b))
                         : compare(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}

std::optional<bool> Decide(const Condition& condition) {
  if (!condition.known) return std::nullopt;
  bool all_decided = true;
  for (const AccessGuard& guard : condition.guards) {
    const std::optional<bool> holds = Decide(guard);
    if (holds && *holds == condition.any) return condition.any;
    all_decided &= holds.has_value();
  }
  if (!all_decided) return std::nullopt;
  return !condition.any;
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
