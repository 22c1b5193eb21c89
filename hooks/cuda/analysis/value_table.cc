// Values by number.
#include "hooks/cuda/analysis/value_table.h"

#include <utility>

namespace gpusan::cuda {
namespace {

size_t HashOf(const Value& value) {
  uint64_t hash =
      static_cast<uint64_t>(value.shape) * 0x9e3779b97f4a7c15 + value.expression.inexact;
  const auto mix = [&hash](uint64_t word) { hash = (hash ^ word) * 0x100000001b3 ^ hash >> 29; };
  for (const Term& term : value.expression.terms) {
    mix(static_cast<uint64_t>(term.coefficient));
    for (const Atom& atom : term.atoms) mix(static_cast<uint64_t>(atom.kind) << 16 | atom.index);
  }
  mix(value.expression.sources.flags);
  mix(value.expression.sources.module_word);
  for (const uint16_t slot : value.expression.sources.slots) mix(slot);
  for (const uint16_t condition : value.expression.conditions) mix(condition);
  return hash;
}

}  // namespace

ValueTable::ValueTable() { Intern({}); }

ValueTable::Id ValueTable::Intern(Value value) {
  const size_t hash = HashOf(value);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (values_[it->second] == value) return it->second;
  }
  const Id id = static_cast<Id>(values_.size());
  values_.push_back(std::move(value));
  by_hash_.emplace(hash, id);
  return id;
}

ValueTable::Id ValueTable::JoinIds(Id a, Id b) {
  if (a == b || b == kUndefined) return a;
  if (a == kUndefined) return b;
  const auto [it, inserted] = joins_.try_emplace(uint64_t{a} << 32 | b, 0);
  if (inserted) {
    const Id joined = Intern(Join(values_[a], values_[b]));
    joins_[uint64_t{a} << 32 | b] = joined;
    return joined;
  }
  return it->second;
}

}  // namespace gpusan::cuda
