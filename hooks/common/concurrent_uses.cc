// Calls of two threads that use one object at the same time.
#include "hooks/common/concurrent_uses.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <new>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

namespace concurrent_uses_internal {
__attribute__((tls_model("initial-exec"))) constinit thread_local ThreadUses* of_thread = nullptr;
}  // namespace concurrent_uses_internal

namespace {

using concurrent_uses_internal::of_thread;

constinit SpinLock g_lock;  // a leaf; guards the two below
constinit PageArena g_arena;
constinit ThreadUses* g_free = nullptr;
constinit std::atomic<uint32_t> g_threads{0};  // that have begun a use
constinit std::atomic<uint32_t> g_key{0};      // pthread_key_t + 1
// Set when the thread ends: its uses are not kept from then on.
__attribute__((tls_model("initial-exec"))) constinit thread_local bool g_ended = false;

void Clear(ThreadUses& uses) {
  for (ThreadUses::Use& use : uses.uses) use.object.store(nullptr, std::memory_order_release);
  uses.count.store(0, std::memory_order_relaxed);
}

void GiveBack(void* kept) {
  auto* uses = static_cast<ThreadUses*>(kept);
  g_ended = true;
  of_thread = nullptr;
  Clear(*uses);
  std::lock_guard lock(g_lock);
  uses->next_free = g_free;
  g_free = uses;
}

// Early, so that the key is among those that pthread_setspecific stores without allocating.
__attribute__((constructor)) void MakeKey() {
  pthread_key_t key;
  if (pthread_key_create(&key, GiveBack) == 0) g_key.store(key + 1, std::memory_order_release);
}

// In the child, the other threads do not exist. Their uses stay allocated.
const ForkReset g_reset([] {
  new (&g_lock) SpinLock;
  g_free = nullptr;
  new (&g_arena) PageArena;
  g_threads = of_thread != nullptr ? 1 : 0;
  if (of_thread == nullptr) return;
  Clear(*of_thread);
  of_thread->thread.store(static_cast<int32_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
});

ThreadUses* Take() {
  std::lock_guard lock(g_lock);
  if (g_free != nullptr) {
    ThreadUses* uses = g_free;
    g_free = uses->next_free;
    return uses;
  }
  void* const memory = g_arena.Allocate(sizeof(ThreadUses));
  return memory != nullptr ? new (memory) ThreadUses : nullptr;
}

}  // namespace

ThreadUses* concurrent_uses_internal::Make() {
  const uint32_t key = g_key.load(std::memory_order_acquire);
  if (g_ended || key == 0) return nullptr;
  ThreadUses* uses = Take();
  if (uses == nullptr) return nullptr;
  uses->thread.store(static_cast<int32_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
  g_threads.fetch_add(1, std::memory_order_relaxed);
  pthread_setspecific(key - 1, uses);
  return of_thread = uses;
}

bool OneThreadUsed() { return g_threads.load(std::memory_order_relaxed) <= 1; }

bool ThreadUses::Has(const LastUser& object, OtherUse* other) const {
  for (const Use& use : uses) {
    if (use.object.load(std::memory_order_acquire) != &object) continue;
    *other = {use.call.load(std::memory_order_relaxed), use.site.load(std::memory_order_relaxed),
              use.part.load(std::memory_order_relaxed), thread.load(std::memory_order_relaxed)};
    // The description may be that of the thread's next call.
    std::atomic_thread_fence(std::memory_order_acquire);
    return use.object.load(std::memory_order_relaxed) == &object;
  }
  return false;
}

}  // namespace gpusan
