// Updates of memory that nothing has written, by the machine code or PTX of a kernel.
#pragma once

#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/functions.h"
#include "tracker/state/unwritten_updates.h"

namespace gpusan::cuda {

// Reports the first parameter through which the code surely updates bytes that nothing has written.
// `uses`: of the launch, by KernelUses::Evaluate.
void CheckUpdates(CuCall& call, const Function& function, const Launch& launch,
                  const std::vector<LaunchUses>& uses);

}  // namespace gpusan::cuda
