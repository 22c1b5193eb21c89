// _dl_find_object of C libraries before 2.35, which have none.
#pragma once

#include <dlfcn.h>
#include <link.h>

namespace gpusan {

using FindObject = int(void* address, dl_find_object* result);

// Returns _dl_find_object of the C library of this namespace; nullptr if it has none. Allocates
// nothing and takes no lock, so that no other thread may load or unload a file meanwhile. The first
// call of _dl_find_object runs it, which happens while libgpusan.so is loaded.
FindObject* FindObjectOfLibrary();

// Does what _dl_find_object does, with the same results: 0, or -1 if no file of this namespace is
// mapped at `address`. Files of other namespaces (dlmopen) are not found. dlfo_map_start is the
// begin of a page and dlfo_map_end the end of the last segment.
//
// Thread-safe. Allocates nothing. Takes the lock under which the loader changes its list of files
// and runs callbacks of dl_iterate_phdr, so that the caller must hold no lock that such a callback
// may take. The loader does not hold this lock while it runs constructors.
int FindObjectByIteration(void* address, dl_find_object* result);

}  // namespace gpusan
