// The documented causes of failed driver calls. Thread-safe.
#pragma once

#include <cuda.h>

#include <string>

namespace gpusan::cuda {

// Returns the documented causes of the code for the function with that exported name; empty when
// there is none.
std::string ClausesFor(const char* function, CUresult code);
// True for codes that correct programs expect: a query that is not ready, a probe for features,
// calls during the driver's shutdown.
bool IsTolerated(const char* function, CUresult code);

}  // namespace gpusan::cuda
