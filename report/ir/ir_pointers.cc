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
    while (cursor.Take("fast") || cursor.Take("nnan") || cursor.Take("ninf") ||
           cursor.Take("nsz") || cursor.Take("contract") || cursor.Take("arcp") ||
           cursor.Take("afn") || cursor.Take("reassoc")) {
    }
    module.Type(cursor);
    do {
      if (!cursor.Take("[")) cursor.Fail();
      sources.push_back(cursor.Value());
      if (!cursor.Take(",")) cursor.Fail();
      cursor.Value();
      if (!cursor.Take("]")) cursor.Fail();
    } while (!cursor.failed() && cursor.Take(","));
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
