// Failed loads and look-ups that may be deliberate probes.
//
// A program may probe which image fits its device. gpusan does not see whether the program checks
// the result, but later calls can show it: the same call site looks up another kernel, or something
// else is loaded into the same variable. The finding is reported at once, because the program may
// end there; a later call of that kind turns it into a note. Thread-safe; a fixed number of
// failures is remembered.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Remembers that the newest finding of the call may concern a probe. `result`: the variable for the
// handle of a load; nullptr for a look-up.
void NoteTry(CuCall& call, CUresult code, const void* result);
// Records the look-up of a function or kernel, successful or not. Returns true if an earlier
// failure at the same call site is remembered.
bool LookedUp(CuCall& call);
// Records a successful load.
void Loaded(CuCall& call, const void* result);

}  // namespace gpusan::cuda
