// Finds the real function of an exported wrapper: the function to which a caller would be bound
// without gpusan.
#pragma once

namespace gpusan {

// Returns the definition of `name` in the file that contains `address`, or in the dependencies of
// that file; nullptr if there is none. Thread-safe.
void* SymbolNear(const char* name, const void* address);

// Returns the function to which the caller at `return_address` would be bound for `name`. A plug-in
// that was opened with RTLD_LOCAL has its libraries in a scope of its own, which RTLD_NEXT does not
// search, so its own handle is searched first. Thread-safe.
void* NextSymbolFor(const char* name, const void* return_address);

}  // namespace gpusan
