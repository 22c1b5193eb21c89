// The advice checks: what is right and may be slow. Each costs one load where it is off.
#pragma once

#include "hooks/cuda/contexts.h"

namespace gpusan::cuda {

// The call is a free that waits for everything in the current context.
void AdviseOnFree(CuCall& call);
// A command goes into the stream, and what the legacy stream joins with it is not complete.
void AdviseOnLegacyStream(CuCall& call, Stream* stream);
// An asynchronous copy.
void AdviseOnPageableCopy(CuCall& call, const Transfer& transfer);

}  // namespace gpusan::cuda
