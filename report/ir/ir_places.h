// The places that pointers of a kernel in LLVM IR name.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "report/ir/ir_formulas.h"
#include "report/ir/ir_text.h"

namespace gpusan {

// Not thread-safe.
class IrPlaces {
 public:
  // The arguments must outlive this object.
  IrPlaces(IrModule& module, const IrFunction& function, IrFormulas& formulas)
      : module_(module), function_(function), formulas_(formulas) {}

  // The index of a variable in local memory, after the parameters; nullopt: `name` is none.
  std::optional<size_t> LocalOf(std::string_view name) const;

  // The place that a pointer names in a parameter's memory, if it is a formula.
  struct Place {
    size_t parameter;
    IrFormula offset;
  };
  std::optional<Place> Of(std::string_view pointer) { return Of(pointer, 0); }

 private:
  std::optional<Place> Of(std::string_view pointer, int depth);
  std::optional<Place> OfConstant(std::string_view value, int depth);
  // A pointer to which each iteration of a loop adds the same number.
  std::optional<Place> OfAdvancing(const IrInstruction& phi, int depth);
  // Adds the indices of a getelementptr.
  bool AddIndices(std::string_view operands, Place& place);

  IrModule& module_;
  const IrFunction& function_;
  IrFormulas& formulas_;
};

// Adds factor * more to the sum. Returns false, and leaves the sum unchanged, if it is too long.
bool AddTo(SummaryFormula& sum, const SummaryFormula& more, int64_t factor);

}  // namespace gpusan
