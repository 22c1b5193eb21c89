// Atomic updates of memory that nothing has written, for example counters that are never zeroed.
#pragma once

#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/functions.h"

namespace gpusan::cuda {

// Whether the launch may write memory that has bytes which nothing has written. Takes no lock.
bool MayWriteUnwritten(const Launch& launch);

// Reports the first parameter through which the code surely updates bytes that nothing has written.
// `uses`: of the launch, by KernelUses::Evaluate.
void CheckUpdates(CuCall& call, const Function& function, const Launch& launch,
                  const std::vector<LaunchUses>& uses);

}  // namespace gpusan::cuda
