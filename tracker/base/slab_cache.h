// What threads keep of the objects that they gave back to slabs: most are made again by the same
// thread, and a lock costs more than all the rest of it.
//
// A list belongs to its thread alone. What a thread keeps goes to its slabs when it ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan {

// One thread's objects of one slab, linked as the slab links its free objects.
struct SlabList {
  static constexpr uint32_t kMost = 32;
  void* first = nullptr;
  uint32_t count = 0;
};

// Slabs have numbers from 1 on; those beyond kNumbered have none (0), and nothing of theirs is
// kept.
inline constexpr unsigned kNumberedSlabs = 128;
struct SlabLists {
  SlabList of[kNumberedSlabs];
};

// nullptr: the thread has given nothing back yet.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local SlabLists* slab_lists;

// What slabs do when something happens to all of them.
struct SlabActions {
  void (*take)(void* slab, void* first);  // an ending thread kept these
  void (*reset)(void* slab);  // in the child of fork(): another thread may have been inside
};

// Gives the slab a number.
unsigned NumberSlab(void* slab, SlabActions actions);
// The slab is no more. Nobody may use it any longer; what threads keep of it is forgotten.
void ForgetSlab(unsigned number);

// In the child of fork(). Async-signal-safe.
void ResetSlabsAfterFork();

// This thread's lists; nullptr: it ends, or there is no memory.
SlabLists* MakeSlabLists();

}  // namespace gpusan
