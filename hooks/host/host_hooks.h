// The real functions and the bookkeeping that the wrappers of host functions share. Internal to
// hooks/host.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/guard.h"
#include "hooks/common/sites/site.h"
#include "hooks/host/host_interposition.h"
#include "tracker/memory/small_uses.h"

namespace gpusan::host_hooks {

// The functions that run without gpusan, named as in host.def. nullptr: the process has none.
struct Real {
#define GPUSAN_HOST(symbol, result, parameters) result(*symbol) parameters;
#include "hooks/host/host.def"
#undef GPUSAN_HOST
};

// Looks up the real functions. Returns nullptr while the calling thread is inside that look-up:
// then memory comes from the bootstrap arena.
const Real* FindReal();
extern Real known_real;
extern std::atomic<bool> real_known;
inline const Real* GetReal() {
  return real_known.load(std::memory_order_acquire) ? &known_real : FindReal();
}

// The call of a wrapper. GPUSAN_CALLER must be expanded in the exported function itself.
struct Caller {
  const void* return_address;
  const void* frame_address;
};
#define GPUSAN_CALLER() \
  ::gpusan::host_hooks::Caller { __builtin_return_address(0), __builtin_frame_address(0) }

// Returns whether the program itself makes this call: not gpusan, the driver or another wrapper.
inline bool IsProgramCall() { return !ReentryGuard::Active() && !HostMemory::BusyOnThisThread(); }

// Set by an operator new around the real one: the next allocation on this thread belongs to the
// operator, which records it. A flag and not a guard object, because the real operator may throw
// and wrappers must be transparent to exceptions: the program's C++ runtime is not the one linked
// into this library.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local bool new_pending;

// --- the fast path of blocks that are too small to be recorded, which most are
// Requests below this size [bytes] are forwarded at once. 0: no fast path, because the C library
// does not serve malloc or because the real functions are not known yet.
extern std::atomic<size_t> plain_below;
// Blocks whose chunk (its size is the word that the C library has in front of each block) is
// smaller than this [bytes] were never recorded. 0: chunks are not known.
extern std::atomic<size_t> plain_chunk_below;
// The same for blocks released by operator delete, which may use another allocator.
extern std::atomic<size_t> plain_deleted_below;
extern char bootstrap[64 * 1024];
inline bool IsBootstrap(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(bootstrap) <
         sizeof(bootstrap);
}
// Device allocations, and memory that drivers map or share with the host, are aligned to this
// [bytes] at least. They have no chunk, and the page in front may be unmapped.
inline constexpr uintptr_t kDeviceAlignment = 256;
inline bool MayBeDeviceMemory(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) % kDeviceAlignment == 0;
}
// The part of the C library's heap that grows by brk: from where it ended at the start of the
// process to where it ends now. Each block in it has a chunk. Empty if the C library does not tell
// its end. Written before the limits above.
struct BreakHeap {
  uintptr_t begin;
  const uintptr_t* end;  // of the C library
};
extern BreakHeap break_heap;
inline bool IsInBreakHeap(const void* memory) {
  const uintptr_t end = __atomic_load_n(break_heap.end, __ATOMIC_RELAXED);
  return reinterpret_cast<uintptr_t>(memory) - break_heap.begin < end - break_heap.begin;
}
// Returns the size [bytes] of the chunk of a block of the C library.
__attribute__((no_sanitize("address"))) inline size_t ChunkBytes(const void* memory) {
  return static_cast<const size_t*>(memory)[-1] & ~size_t{7};  // without the flags
}
inline bool IsPlain(const void* memory, const std::atomic<size_t>& below) {
  const size_t limit = below.load(std::memory_order_acquire);
  return limit != 0 && (!MayBeDeviceMemory(memory) || IsInBreakHeap(memory)) &&
         !IsBootstrap(memory) && ChunkBytes(memory) < limit;
}

// Records a new block of at least host_block_min bytes.
void NoteAcquired(void* memory, size_t bytes, HostBlockKind kind, Caller caller);
extern std::atomic<size_t> host_block_min;
inline void NoteHeap(void* memory, size_t bytes, Caller caller) {
  if (bytes >= host_block_min.load(std::memory_order_relaxed) && memory != nullptr) {
    NoteAcquired(memory, bytes, HostBlockKind::kHeap, caller);
  }
}

// Removes a heap block from the known ones, before its release. Returns whether it was known, and
// then fills *block. Inside a ReentryGuard the observer is not called.
bool NoteReleased(void* memory, Caller caller, HostBlock* block);
inline void NoteReleased(void* memory, Caller caller) {
  HostBlock block;
  if (memory != nullptr) NoteReleased(memory, caller, &block);
}

// Call before the release of a block for which IsPlain returned true. Calls the observer if a
// command may be pending that uses the block. Costs a few loads otherwise.
void NotePlainReleasedSlow(void* memory, Caller caller);
[[gnu::always_inline]] inline void NotePlainReleased(void* memory, Caller caller) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  if (MayBeInSmallUse(begin, begin + ChunkBytes(memory) - sizeof(size_t))) [[unlikely]]
    NotePlainReleasedSlow(memory, caller);
}

// Call before [memory, memory + bytes) is unmapped or mapped again.
void NoteUnmapped(void* memory, size_t bytes, Caller caller);

// Call before the program takes rights or content from [memory, memory + bytes) by `function`.
// Calls the observer if a pending command needs them. Costs one load if no command uses host
// memory.
void NoteLostSlow(void* memory, size_t bytes, HostLoss loss, const char* function, Caller caller);
inline void NoteLost(void* memory, size_t bytes, HostLoss loss, const char* function,
                     Caller caller) {
  if (host_users.load(std::memory_order_relaxed) != 0)
    NoteLostSlow(memory, bytes, loss, function, caller);
}

// Allocates from the bootstrap arena, during the look-up of the real functions. Zeroed; never
// released.
void* BootstrapAllocate(size_t bytes, size_t alignment);
// Returns the bytes from `memory` to the end of the allocated part of the arena.
size_t BootstrapLeft(const void* memory);

}  // namespace gpusan::host_hooks
