// Finds the real functions behind exported wrappers: those to which callers would be bound without
// gpusan.
#pragma once

namespace gpusan {

// The definition of `name` in the file that contains `address` or in its dependencies; nullptr
// without one. Thread-safe.
void* SymbolNear(const char* name, const void* address);

// The function to which the caller at `return_address` would be bound for `name`. A plug-in that
// was opened with RTLD_LOCAL has its libraries in a scope of its own, which RTLD_NEXT does not
// search, so its own handle is searched first. Thread-safe.
void* NextSymbolFor(const char* name, const void* return_address);

}  // namespace gpusan
