// Memory that a kernel in LLVM IR updates in place: loads of bytes that the same work item stores
// later.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "report/ir/ir_formulas.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// A load or a store through a parameter.
struct InPlaceAccess {
  SummaryAccess access;
  std::string_view pointer;  // the operand; empty: the bytes are not at the operand alone
  uint64_t bytes = 0;        // 0: not known
  uint32_t block = 0;
};

class InPlaceUpdates {
 public:
  // Adds a plain access, in the order of the instructions.
  void Add(size_t parameter, InPlaceAccess access) {
    accesses_[parameter].push_back(std::move(access));
  }

  // Appends the loads and the stores of each parameter to `updates` if each store through the
  // parameter is after a load of the same bytes in every execution.
  void AddTo(const IrFormulas& formulas,
             std::map<size_t, std::vector<SummaryAccess>>* updates) const;

 private:
  std::map<size_t, std::vector<InPlaceAccess>> accesses_;
};

}  // namespace gpusan
