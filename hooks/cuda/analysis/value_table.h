// Values by number.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// Each distinct value once, so that register files are arrays of numbers.
class ValueTable {
 public:
  using Id = uint32_t;
  static constexpr Id kUndefined = 0;

  ValueTable();
  Id Intern(Value value);
  const Value& operator[](Id id) const { return values_[id]; }
  Id JoinIds(Id a, Id b);
  size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
  std::unordered_multimap<size_t, Id> by_hash_;
  std::unordered_map<uint64_t, Id> joins_;
};

}  // namespace gpusan::cuda
