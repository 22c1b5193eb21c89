// Summaries of OpenCL kernels, from the PTX to which NVIDIA's OpenCL driver translates them.
#pragma once

#include <string_view>
#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan::cuda {

// Returns the summaries of the kernels in the text, which is untrusted. Kernels that are not
// understood, or that may write through pointers which they load, are left out. An access has a
// byte range only if its address and its conditions follow from the launch (launch_sums.h).
// Thread-safe.
std::vector<KernelSummary> SummariesOfPtx(std::string_view text);

}  // namespace gpusan::cuda
