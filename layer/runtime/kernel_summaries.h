// Supplies the hooks with summaries of kernels: from the command, or from the cache on disk.
#pragma once

#include <cstdint>

namespace gpusan {

// Sets kernel_summary_service, unless the options or raised privileges forbid it. Idempotent.
void InstallKernelSummaries();

// The number of programs without summaries because the command did not answer. After the first one,
// the process sends no requests: findings must not depend on when the command answers.
uint64_t KernelSummariesMissing();

}  // namespace gpusan
