// Calls of functions that read or write texels, in LLVM IR.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "report/ir/ir_formulas.h"
#include "report/ir/ir_text.h"
#include "tracker/model/texel_access.h"

namespace gpusan {

// A call of a function of OpenCL C for texels.
struct IrTexelCall {
  SummaryAccess::Kind kind = SummaryAccess::Kind::kRead;
  TexelAccess texel;
  // The formulas of the coordinates that must be inside of the image: of writes, and of reads
  // without a sampler. nullopt: not known. Formulas apply where they fit into 32 bits.
  std::vector<std::optional<IrFormula>> coordinates;
};

struct IrOperand {
  const IrType* type = nullptr;
  std::string_view value;
};

// Returns the call of the built-in function `name` with the mangled types `types`; nullopt: the
// function is not one for texels.
std::optional<IrTexelCall> TexelCallOf(IrModule& module, const IrFunction& function,
                                       IrFormulas& formulas, std::string_view name,
                                       std::string_view types,
                                       const std::vector<IrOperand>& operands);

}  // namespace gpusan
