// Compares call sites by the function of the program that made the calls.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan {

// True if one function of the program made both calls, through the same chain of callers. With
// `skip_equal`, both stacks may begin with equal frames: of the driver, or of a function that only
// passes the call on. Thread-safe.
bool SameCaller(SiteId a, SiteId b, bool skip_equal);

}  // namespace gpusan
