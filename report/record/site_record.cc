// Writes frames of call sites.
#include "report/record/site_record.h"

namespace gpusan {

void AppendSite(std::span<const RecordFrame> frames, JsonWriter* json) {
  json->Key("site").BeginArray();
  for (const RecordFrame& frame : frames) {
    json->BeginArray().Uint(frame.module);
    if (IsFunctionId(frame.module) && IsCodeOffset(frame.offset)) {
      json->Uint(0).Uint(0).Uint(CodeBytes(frame.offset));
    } else if (IsFunctionId(frame.module)) {
      json->Uint(SourceLine(frame.offset)).Uint(SourceColumn(frame.offset));
    } else {
      json->Uint(frame.offset);
    }
    json->EndArray();
  }
  json->EndArray();
}

TextFrame SourceTextFrame(const RecordModule& module, uint64_t offset) {
  TextFrame frame;
  frame.function = module.function;
  frame.language = module.language;
  frame.file = module.path;
  if (IsCodeOffset(offset)) {
    frame.function_offset = CodeBytes(offset);
  } else {
    frame.line = static_cast<int>(SourceLine(offset));
    frame.column = static_cast<int>(SourceColumn(offset));
  }
  frame.function_line = module.first_line;
  return frame;
}

}  // namespace gpusan
