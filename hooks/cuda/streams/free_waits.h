// The wait that a free implies.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// As WaitContext, but leaves queues that another thread is about to wait for to that thread, so
// that the cost is low when nothing is pending. The CUDA documentation does not promise that a free
// waits for more than the users of the memory.
void WaitBusy(CuCall& call, Context* context);

}  // namespace gpusan::cuda
