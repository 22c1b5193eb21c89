// What a free waits for.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// As WaitContext, but what another thread is about to wait for just now is left to that thread:
// cheap where nothing is pending. No document says that a free waits for more than what uses the
// memory.
void WaitBusy(CuCall& call, Context* context);

}  // namespace gpusan::cuda
