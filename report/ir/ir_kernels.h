// The summaries of the kernels in a module of LLVM IR that clang made for OpenCL (spir64).
#pragma once

#include <string_view>
#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// Changes when the same IR gives other summaries: cached summaries of another version are not used.
inline constexpr int kIrReaderVersion = 13;

// Returns the summary of each kernel that could be read. Conservative: a parameter whose accesses
// are not all understood is not `known`, unless LLVM itself says in which direction it is used.
// `ir` may be any text.
std::vector<KernelSummary> SummarizeIr(std::string_view ir);

}  // namespace gpusan
