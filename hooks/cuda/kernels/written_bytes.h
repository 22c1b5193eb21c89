// The bytes that a launch may write, by the machine code or PTX of its kernel.
#pragma once

#include "hooks/cuda/kernels/functions.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// Limits what the launch counts as having written through the argument to the bytes that the code
// may write, if all of them are known and only commands that gpusan sees write the memory. Returns
// true if the code writes through the argument outside of its memory only: a program may pass an
// address from which an offset leads to other memory.
bool BoundWritten(const KernelUses& kernel, const LaunchUses& uses, LaunchArgument* argument,
                  Launch* launch);

}  // namespace gpusan::cuda
