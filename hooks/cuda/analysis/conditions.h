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
  // The guard that holds if, and only if, this one does not.
  AccessGuard Opposite() const;
};

// A condition is a list of guards.
struct Condition {
  bool known = false;
  bool any = false;  // one of the guards holds, instead of all of them
  std::vector<AccessGuard> guards;

  bool operator==(const Condition&) const = default;

  // True for a list of which all must hold.
  bool IsConjunction() const { return known && (!any || guards.size() == 1); }
  static Condition Always() { return {true, false, {}}; }
  Condition Negated() const;
};

// Both of them, or one of them. Not known if the result is no plain list.
Condition Both(const Condition& a, const Condition& b);
Condition Either(const Condition& a, const Condition& b);

// Whether a comparison of constants, or a condition of such comparisons, holds; nullopt: it depends
// on more.
std::optional<bool> Decide(const AccessGuard& guard);
std::optional<bool> Decide(const Condition& condition);

// A loop around an instruction: an iteration runs only if `condition` holds, which names the
// iteration. `next` is the condition of the next iteration.
struct LoopBound {
  uint16_t loop = 0;
  AccessGuard condition, next;
};

// What must hold for a thread to execute an instruction.
struct Conditions {
  std::vector<AccessGuard> guards;  // it executes the instruction only if all of them hold
  bool complete = true;             // and always then
  // The loops whose iterations the guards or the address name, outer ones first.
  std::vector<LoopBound> loops;

  // Adds a condition that must hold as well.
  void Add(const Condition& condition);
};

}  // namespace gpusan::cuda
