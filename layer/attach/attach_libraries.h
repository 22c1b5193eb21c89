// Exported functions of the CUDA libraries.
#pragma once

namespace gpusan {

// For dlsym: returns the wrapper for `real`, which a library exports as `name`. nullptr when no row
// (hooks/cuda/libraries) names the function: then the caller uses `real`. Thread-safe.
void* WrapperForLibrarySymbol(const char* name, void* real);

}  // namespace gpusan
