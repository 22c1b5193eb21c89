// Numbers for values, so that equal values are equal numbers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// Holds each distinct value once. Register files are arrays of its numbers. Not thread-safe.
class ValueTable {
 public:
  using Id = uint32_t;
  static constexpr Id kUndefined = 0;

  ValueTable();
  // Returns the number of a value; adds the value if it is new.
  Id Intern(Value value);
  // Valid until the next call of Intern or JoinIds.
  const Value& operator[](Id id) const { return values_[id]; }
  // Returns the number of Join(a, b).
  Id JoinIds(Id a, Id b);
  size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
  std::unordered_multimap<size_t, Id> by_hash_;
  std::unordered_map<uint64_t, Id> joins_;
};

}  // namespace gpusan::cuda
