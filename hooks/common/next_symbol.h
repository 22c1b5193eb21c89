// The real functions behind the hooked names.
#pragma once

namespace gpusan {

// The C library's own dlsym and dlvsym, found without calling either (both are hooked names). Never
// nullptr in a dynamically linked process. Thread-safe, allocates nothing.
using DlsymFunction = void* (*)(void* handle, const char* name);
using DlvsymFunction = void* (*)(void* handle, const char* name, const char* version);
DlsymFunction RealDlsym();
DlvsymFunction RealDlvsym();

// What `name` would be without gpusan: the next definition behind this library in the search order,
// nullptr if there is none. May allocate through malloc when it fails.
void* NextSymbol(const char* name);

// False: no loaded file but the program itself and this one defines `name`, so that NextSymbol
// would fail. Allocates nothing; takes no lock, as SymbolOfFile.
bool MayHaveNext(const char* name);

// A definition of `name` in a loaded file whose name starts with `file` ("libstdc++.so"), whatever
// its scope. Takes no lock: nothing else may load or unload files meanwhile. nullptr if there is
// none.
void* SymbolOfFile(const char* file, const char* name);

}  // namespace gpusan
