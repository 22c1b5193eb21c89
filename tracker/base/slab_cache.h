// Private free lists of threads: a thread usually allocates the objects again that it freed, and a
// lock costs more than the rest of the operation.
//
// Only its own thread uses a list. When a thread ends, the objects in its lists return to their
// slabs.
#pragma once

#include <cstdint>

namespace gpusan {

// The free objects of one slab that one thread holds, linked by the slab's `next_free`.
struct SlabList {
  static constexpr uint32_t kMost = 32;
  void* first = nullptr;
  uint32_t count = 0;
};

// Slabs are numbered from 1. Slabs beyond kNumberedSlabs get the number 0 and have no private
// lists.
inline constexpr unsigned kNumberedSlabs = 128;
struct SlabLists {
  SlabList of[kNumberedSlabs];
};

// The lists of this thread; nullptr until the thread frees its first object.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local SlabLists* slab_lists;

// Callbacks into a slab.
struct SlabActions {
  void (*take)(void* slab, void* first);  // takes over the list of an ending thread
  // Called in the child of fork(), because another thread may have been inside the slab.
  void (*reset)(void* slab);
};

// Assigns a number to the slab and returns it; returns 0 when all numbers are in use.
unsigned NumberSlab(void* slab, SlabActions actions);
// Unregisters a slab that is being destroyed. The objects that threads still hold are abandoned.
// The slab must not be used afterwards.
void ForgetSlab(unsigned number);

// Resets all slabs. For the child of fork(). Async-signal-safe.
void ResetSlabsAfterFork();

// Creates the lists of this thread and returns them. Returns nullptr when the thread is ending or
// when there is no memory.
SlabLists* MakeSlabLists();

}  // namespace gpusan
