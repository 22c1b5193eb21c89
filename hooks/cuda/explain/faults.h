// Faults of the device: codes by which calls tell of what failed behind the program's back.
//
// One finding a context names what was pending; what fails for it later is counted under that one.
#pragma once

#include <cuda.h>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// The call returned a code for which IsFault (error_codes.h) is true. Once its own findings are
// reported.
void ReportFault(CuCall& call, CUresult code);

}  // namespace gpusan::cuda
