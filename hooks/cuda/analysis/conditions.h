// The conditions under which a thread executes an instruction, as comparisons of words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hooks/cuda/analysis/expression.h"

namespace gpusan::cuda {

// A comparison of two integers that a thread makes: `left` relation `right`.
struct AccessGuard {
  enum class Relation : uint8_t {
    kLess,
    kEqual,
    kLessOrEqual,
    kGreater,
    kNotEqual,
    kGreaterOrEqual
  };
  Relation relation = Relation::kLess;
  bool is_signed = false;
  bool wide = false;       // of 64 bits
  Expression left, right;  // of 32 bits, or of 64 bits if `wide`
  bool operator==(const AccessGuard&) const = default;
  // Returns the guard that holds exactly if this one does not.
  AccessGuard Opposite() const;
};

// A condition is a list of guards.
struct Condition {
  bool known = false;
  bool any = false;  // one of the guards holds, instead of all of them
  std::vector<AccessGuard> guards;

  bool operator==(const Condition&) const = default;

  // Whether the condition is known and holds only if all guards hold.
  bool IsConjunction() const { return known && (!any || guards.size() == 1); }
  static Condition Always() { return {true, false, {}}; }
  Condition Negated() const;
};

// Return `a` and `b`, `a` or `b`. The result is not known if one list of guards cannot express it.
Condition Both(const Condition& a, const Condition& b);
Condition Either(const Condition& a, const Condition& b);

// Return whether a comparison of constants, or a condition of such comparisons, holds; nullopt if
// an operand is not a constant.
std::optional<bool> Decide(const AccessGuard& guard);
std::optional<bool> Decide(const Condition& condition);

// A loop around an instruction. An iteration runs only if `condition` holds. The condition depends
// on the number of the iteration. `next` is the condition of the next iteration.
struct LoopBound {
  uint16_t loop = 0;
  AccessGuard condition, next;
};

// The conditions under which a thread executes an instruction.
struct Conditions {
  std::vector<AccessGuard> guards;  // the thread executes it only if all of them hold
  bool complete = true;             // the thread executes it if all of them hold
  // The loops on whose iterations the guards or the address depend, outer ones first.
  std::vector<LoopBound> loops;

  // Adds a further condition that must hold.
  void Add(const Condition& condition);
};

}  // namespace gpusan::cuda
