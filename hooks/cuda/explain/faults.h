// Device faults: error codes that report an asynchronous failure of earlier work.
//
// One finding for each context lists the pending commands; later failures in the context are
// counted under that finding. Thread-safe.
#pragma once

#include <cuda.h>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Reports the fault with which the call returned. `code`: IsFault (error_codes.h) is true. Call it
// after the call's own findings are reported.
void ReportFault(CuCall& call, CUresult code);

}  // namespace gpusan::cuda
