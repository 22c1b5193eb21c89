// The fingerprint inside one process: equal for the same defect at the same call site.
#include "report/record/process_fingerprint.h"

#include "tracker/base/text_util.h"

namespace gpusan {

void Fingerprint::Add(std::string_view text) {
  for (char c : text) AddByte(static_cast<unsigned char>(c));
  AddByte(0xff);  // in no UTF-8 text: keeps ("ab", "c") and ("a", "bc") apart
}

void Fingerprint::Add(uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) AddByte(static_cast<unsigned char>(number >> shift));
}

void Fingerprint::Add(const RecordFrame& frame, const FrameSource& source) {
  RecordModule module;
  if (frame.module == 0 || !source.Module(frame.module, &module)) {
    Add("?");
    return;
  }
  Add(BaseName(module.path));
  if (!module.function.empty()) Add(module.function);
  Add(frame.offset);
}

}  // namespace gpusan
