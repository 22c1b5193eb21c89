// Names of APIs and severities.
#include "tracker/model/ids.h"

namespace gpusan {

const char* ApiName(Api api) {
  switch (api) {
    case Api::kOpenCL:
      return "opencl";
    case Api::kCuda:
      return "cuda";
    case Api::kVulkan:
      return "vulkan";
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
