// Interception of dlsym: programs that look up GPU entry points by name get gpusan's wrappers.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan {

// Returns the wrapper for `name`, given the real function, or nullptr to give the program the real
// one. Called on the program's threads, also before main.
using SubstituteSymbol = void* (*)(const char* name, void* real);

// Registers `substitute` for the names that begin with the prefix of the API (tracker/apis.def).
// Thread-safe.
void SubstituteSymbols(Api api, SubstituteSymbol substitute);

}  // namespace gpusan
