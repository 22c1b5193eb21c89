// Deferred launches (deferral_queue.h). Thread-safe.
#pragma once

#include "hooks/cuda/kernels/functions.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

struct LaunchShape;

// Queues the launch, before the real call. Returns false, without side effects, if the launch
// cannot be deferred. `parameters` and `extra`: as in cuLaunchKernel.
bool DeferLaunch(FastCall& call, CUfunction handle, CUstream stream, const LaunchShape& shape,
                 void** parameters, void** extra);

}  // namespace gpusan::cuda
