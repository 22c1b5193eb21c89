// The real functions behind the hooked names.
#pragma once

#include <cstdint>

namespace gpusan {

// Return the C library's dlsym and dlvsym, without calling either, because both names are hooked.
// Never nullptr in a dynamically linked process. Thread-safe, allocate nothing.
using DlsymFunction = void* (*)(void* handle, const char* name);
using DlvsymFunction = void* (*)(void* handle, const char* name, const char* version);
DlsymFunction RealDlsym();
DlvsymFunction RealDlvsym();

// Returns what `name` resolves to without gpusan: the next definition behind this library in the
// search order, nullptr if there is none. May allocate through malloc if it fails.
void* NextSymbol(const char* name);

// Returns false if NextSymbol would fail, because only the program and this library define `name`.
// Allocates nothing and takes no lock, with the precondition of SymbolOfFile.
bool MayHaveNext(const char* name);

// Whether a symbol of a loaded file begins at `function`. False once its file was unloaded, also
// when another file has come to that address, unless one of that file's symbols begins there too.
// Thread-safe; takes the loader's lock, so that the caller must hold no lock that is taken inside a
// look-up.
bool IsLoadedFunction(const void* function);

// Whether a loaded file, of whatever namespace, is mapped at `address`. Thread-safe; takes no lock.
bool IsInLoadedFile(const void* address);

// Whether `address` belongs to a file of the namespace that this library is in (dlmopen makes
// others). Takes no lock: the file must not be unloaded meanwhile.
bool IsInThisNamespace(const void* address);

// Files that the loader has unloaded since the process began, in all namespaces. Thread-safe.
uint64_t UnloadedFiles();

// Returns a definition of `name` in a loaded file whose name starts with `file` ("libstdc++.so"),
// in any scope; nullptr if there is none. Takes no lock: no other thread may load or unload files
// during the call.
void* SymbolOfFile(const char* file, const char* name);

}  // namespace gpusan
