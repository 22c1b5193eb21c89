// What a thread keeps in pages of its own, which are allocated when the thread first needs them.
//
// Static thread-local storage is scarce: a layer is loaded late, and the loader holds little of it
// in reserve (tests/host/check_library.py has the limit). It is for what every call reads, and for
// what must not be lost when there is no memory. Everything else is here: caches, which may start
// empty and may be missing. The pages are released when the thread ends.
#pragma once

#include <cstddef>

#include "tracker/base/slab_cache.h"

namespace gpusan {

struct ThreadStorage {
  SlabLists lists;
  // The results of HostMemory::Find that the thread got last. All zero: none.
  alignas(8) std::byte found_blocks[160];
};
static_assert(sizeof(ThreadStorage) <= 4096, "one page a thread");

// The storage of this thread; nullptr while the thread has needed none.
inline ThreadStorage* StorageIfAny() { return reinterpret_cast<ThreadStorage*>(slab_lists); }

// Returns the storage of this thread, which it allocates and zeroes on first use. Returns nullptr
// when the thread is ending or when there is no memory. Works inside malloc.
inline ThreadStorage* StorageOfThread() {
  return reinterpret_cast<ThreadStorage*>(slab_lists != nullptr ? slab_lists : MakeSlabLists());
}

}  // namespace gpusan
