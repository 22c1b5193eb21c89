// The process's one tracker, whichever doors its calls come through.
#pragma once

#include "tracker/tracker.h"

namespace gpusan {

// Made at the first call of a GPU API, wired to the options, host memory and sink of the Runtime;
// never destroyed. In the child of a fork the next call makes a new one. Thread-safe.
Tracker& Shadow();

// The same without making one: nullptr if no GPU API was used.
Tracker* ShadowIfAny();

}  // namespace gpusan
