// Names and other texts of the kinds of objects.
#include "tracker/objects/object.h"

namespace gpusan {

const char* ObjectKindName(ObjectKind kind) {
  static constexpr const char* kNames[] = {
      "object",
#define GPUSAN_OBJECT_KIND(symbol, name) name,
#include "tracker/objects/object_kinds.def"
#undef GPUSAN_OBJECT_KIND
  };
  return kNames[static_cast<size_t>(kind)];
}

const char* TextOfKind(ObjectKind kind, absl::Span<const KindText> rows, const char* otherwise) {
  for (const KindText& row : rows) {
    if (row.kind == kind) return row.text;
  }
  return otherwise;
}

}  // namespace gpusan
