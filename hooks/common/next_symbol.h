// The real functions behind the hooked names.
#pragma once

#include <cstdint>

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

// Whether a symbol of a loaded file begins at `function`. False once its file was unloaded, also
// when another file has come to that address, unless one of that file's symbols begins there too.
// Thread-safe; takes the loader's lock, so that the caller must hold no lock that is taken inside a
// look-up.
bool IsLoadedFunction(const void* function);

// Whether `address` belongs to a file of the namespace that this library is in (dlmopen makes
// others). Takes no lock: the file must not be unloaded meanwhile.
bool IsInThisNamespace(const void* address);

// Files that the loader has unloaded since the process began, in all namespaces. Thread-safe.
uint64_t UnloadedFiles();

// A definition of `name` in a loaded file whose name starts with `file` ("libstdc++.so"), whatever
// its scope. Takes no lock: nothing else may load or unload files meanwhile. nullptr if there is
// none.
void* SymbolOfFile(const char* file, const char* name);

}  // namespace gpusan
