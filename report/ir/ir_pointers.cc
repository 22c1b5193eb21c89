// Pointers that instructions pass on.
#include "report/ir/ir_pointers.h"

namespace gpusan {

bool PassesPointer(std::string_view op) {
  return op == "getelementptr" || op == "bitcast" || op == "addrspacecast" || op == "freeze" ||
         op == "phi" || op == "select";
}

std::vector<std::string_view> PassedPointers(IrModule& module, const IrInstruction& instruction,
                                             bool* failed) {
  std::vector<std::string_view> sources;
  IrCursor cursor(instruction.rest);
  if (instruction.op == "getelementptr") {
    SkipPointerFlags(cursor);
    module.Type(cursor);
    if (!cursor.Take(",")) cursor.Fail();
    module.Type(cursor);
    sources.push_back(cursor.Value());
  } else if (instruction.op == "phi") {
    const std::optional<IrPhi> phi = PhiOf(module, instruction);
    if (!phi) {
      *failed = true;
      return {};
    }
    for (const IrPhi::Edge& edge : phi->edges) sources.push_back(edge.value);
  } else if (instruction.op == "select") {
    cursor.SkipAttributes();
    module.Type(cursor);
    cursor.Value();
    for (int i = 0; i < 2; ++i) {
      if (!cursor.Take(",")) cursor.Fail();
      module.Type(cursor);
      sources.push_back(cursor.Value());
    }
  } else {
    module.Type(cursor);
    sources.push_back(cursor.Value());
  }
  if (cursor.failed()) *failed = true;
  return sources;
}

void SkipPointerFlags(IrCursor& cursor) {
  while (cursor.Take("inbounds") || cursor.Take("nuw") || cursor.Take("nusw")) {
  }
  if (cursor.Take("inrange")) cursor.Group();
}

}  // namespace gpusan
