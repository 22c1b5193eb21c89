// Loads and look-ups that failed for what an image holds, and that the program may only have tried.
//
// A program may ask what there is for its device; nobody sees whether it looks at the answer, but
// what comes next can show it: the same place asks for the next kernel, or what failed is replaced
// by something else that is loaded into the same variable. The finding was reported at once, since
// the program may end there; it then becomes a note. Thread-safe; the last tries are remembered.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// The finding that the call added last may be about a try. `result`: the variable that a load would
// have filled; nullptr: a look-up.
void NoteTry(CuCall& call, CUresult code, const void* result);
// A function or kernel is looked up, with or without success. True: something was tried at the same
// place before.
bool LookedUp(CuCall& call);
// A load succeeded.
void Loaded(CuCall& call, const void* result);

}  // namespace gpusan::cuda
