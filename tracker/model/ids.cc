// Names of APIs and severities.
#include "tracker/model/ids.h"

namespace gpusan {

const char* ApiName(Api api) {
  switch (api) {
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  case Api::k##symbol:                                                               \
    return #name;
#include "tracker/apis.def"
#undef GPUSAN_API
    case Api::kHost:
      return "host";
    case Api::kNone:
      break;
  }
  return "none";
}

const char* SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

}  // namespace gpusan
