// Summaries of OpenCL kernels, from the PTX to which NVIDIA's OpenCL driver translates them.
#pragma once

#include <string_view>
#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan::cuda {

// Returns the summaries of the kernels in the text, which is untrusted. Leaves out kernels that the
// analysis does not understand, and kernels that may write through a pointer from memory. An access
// has a byte range only if its address and conditions can be computed from the launch
// (launch_sums.h). Thread-safe.
std::vector<KernelSummary> SummariesOfPtx(std::string_view text);

}  // namespace gpusan::cuda
