// Numbers of slabs and the lists of threads.
#include "tracker/base/slab_cache.h"

#include <pthread.h>

#include <atomic>
#include <mutex>
#include <new>

#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"
#include "tracker/base/thread_storage.h"

namespace gpusan {
namespace {

struct Numbered {
  void* slab = nullptr;
  SlabActions actions = {};
};
// Held while an ending thread returns its objects, so that no slab is destroyed meanwhile.
constinit SpinLock numbers_lock;
constinit Numbered numbered[kNumberedSlabs];
constinit unsigned next_number = 1;
constinit std::atomic<uint32_t> lists_key{0};  // pthread_key_t + 1; 0: none

// Set when the thread ends: it holds no lists from then on.
constinit thread_local bool ended = false;

void GiveBack(void* kept) {
  auto* lists = static_cast<SlabLists*>(kept);
  ended = true;
  slab_lists = nullptr;
  {
    std::lock_guard lock(numbers_lock);
    for (unsigned i = 1; i < kNumberedSlabs; ++i) {
      void* first = lists->of[i].first;
      if (first != nullptr && numbered[i].slab != nullptr)
        numbered[i].actions.take(numbered[i].slab, first);
    }
  }
#ifndef __SANITIZE_THREAD__
  // ThreadSanitizer does not see this munmap. It would report a race with the next owner of the
  // addresses.
  FreePages(lists, sizeof(ThreadStorage));
#endif
}

// Runs early, so that pthread_setspecific stores this key without an allocation.
__attribute__((constructor)) void MakeListsKey() {
  pthread_key_t key;
  if (pthread_key_create(&key, GiveBack) == 0) lists_key.store(key + 1, std::memory_order_release);
}

}  // namespace

constinit thread_local SlabLists* slab_lists = nullptr;

unsigned NumberSlab(void* slab, SlabActions actions) {
  std::lock_guard lock(numbers_lock);
  if (next_number == kNumberedSlabs) return 0;
  numbered[next_number] = {slab, actions};
  return next_number++;
}

void ForgetSlab(unsigned number) {
  if (number == 0) return;
  std::lock_guard lock(numbers_lock);
  numbered[number] = {};
}

void ResetSlabsAfterFork() {
  new (&numbers_lock) SpinLock;  // another thread may have held it during the fork
  for (const Numbered& one : numbered) {
    // Another thread may have been in NumberSlab during the fork.
    if (one.slab != nullptr && one.actions.reset != nullptr) one.actions.reset(one.slab);
  }
}

SlabLists* MakeSlabLists() {
  const uint32_t key = lists_key.load(std::memory_order_acquire);
  if (ended || key == 0) return nullptr;
  auto* storage = static_cast<ThreadStorage*>(AllocatePages(sizeof(ThreadStorage)));
  if (storage == nullptr) return nullptr;
  slab_lists = &storage->lists;
  pthread_setspecific(key - 1, slab_lists);
  return slab_lists;
}

}  // namespace gpusan
