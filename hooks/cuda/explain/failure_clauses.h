// What lies behind a failing driver call, as far as its documents say.
#pragma once

#include <cuda.h>

#include <string>

namespace gpusan::cuda {

// The reasons for which the function, named as it is exported, may return the code; empty when none
// is documented.
std::string ClausesFor(const char* function, CUresult code);
// A code by which correct programs learn something, not a failure: a query that is not ready, a
// probe for what a device can do, calls while the driver shuts down.
bool IsTolerated(const char* function, CUresult code);

}  // namespace gpusan::cuda
