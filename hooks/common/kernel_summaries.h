// The service by which hooks get summaries of kernels from outside of the process, or from another
// API's hooks. layer/ supplies it; without it, kernels have no summaries.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// An OpenCL C program as it was built.
struct ProgramText {
  std::string source;
  std::string options;
  std::vector<std::pair<std::string, std::string>> headers;  // names and texts
  // Common to all devices of the program: CL_DEVICE_EXTENSIONS, CL_DEVICE_VERSION,
  // CL_DEVICE_OPENCL_C_VERSION.
  std::string extensions, device_version, language;
};

// All functions are thread-safe, may block for seconds, and need no lock of the tracker.
struct KernelSummaryService {
  // Sets *summaries to a text of EncodeSummaries. Returns false if nothing is known.
  bool (*opencl)(const ProgramText& program, std::string* summaries);
  // The cache on disk: an entry for `code` of some kind, under the version of the code's reader.
  bool (*load)(std::string_view kind, int version, std::string_view code, std::string* summaries);
  void (*store)(std::string_view kind, int version, std::string_view code,
                std::string_view summaries);
  // Sets *kernels to what is known of the kernels in the PTX of an OpenCL program. nullptr: this
  // build cannot read PTX.
  void (*ptx)(std::string_view text, std::vector<KernelSummary>* kernels);
};

// nullptr: there is none. Set before the first intercepted call.
inline constinit std::atomic<const KernelSummaryService*> kernel_summary_service{nullptr};

}  // namespace gpusan
