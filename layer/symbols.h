// The real functions behind exported wrappers, as their callers would have been bound without
// gpusan.
#pragma once

namespace gpusan {

// A definition of `name` in the file that holds `address`, or in what that file depends on; nullptr
// if there is none. Thread-safe.
void* SymbolNear(const char* name, const void* address);

// What the caller at `return_address` would have got for `name`. A plug-in that was opened with
// RTLD_LOCAL brings its library in a scope of its own, which RTLD_NEXT does not search: its own
// handle does. Thread-safe.
void* NextSymbolFor(const char* name, const void* return_address);

}  // namespace gpusan
