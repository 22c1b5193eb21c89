// Launches that wait to be judged (deferral_queue.h). Thread-safe.
#pragma once

#include "hooks/cuda/kernels/functions.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

struct LaunchShape;

// Keeps the launch. Before the real call. Returns its number; 0: it is none that can wait, and
// nothing has happened. `parameters` and `extra` as cuLaunchKernel has them.
uint64_t DeferLaunch(LightCall& call, CUfunction handle, CUstream stream, const LaunchShape& shape,
                     void** parameters, void** extra);

}  // namespace gpusan::cuda
