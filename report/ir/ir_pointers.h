// Instructions of LLVM IR that return one of their pointer operands, or a pointer beside it.
#pragma once

#include <string_view>
#include <vector>

#include "report/ir/ir_text.h"

namespace gpusan {

bool PassesPointer(std::string_view op);

// The pointers that `instruction`, one of PassesPointer, may return. Sets *failed if the text is
// not understood, and does not change it otherwise.
std::vector<std::string_view> PassedPointers(IrModule& module, const IrInstruction& instruction,
                                             bool* failed);

// Consumes the flags of a getelementptr.
void SkipPointerFlags(IrCursor& cursor);

}  // namespace gpusan
