// What the host wrappers share: the real functions and the bookkeeping around them. Internal to
// hooks/host.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/guard.h"
#include "hooks/common/site.h"
#include "hooks/host/host_interposition.h"

namespace gpusan::host_hooks {

// The functions that would run without gpusan, by the rows' names. nullptr: the process has none.
struct Real {
#define GPUSAN_HOST(symbol, result, parameters) result(*symbol) parameters;
#include "hooks/host/host.def"
#undef GPUSAN_HOST
};

// nullptr while this very thread is looking them up: then memory comes from the bootstrap arena.
const Real* FindReal();
extern Real known_real;
extern std::atomic<bool> real_known;
inline const Real* GetReal() {
  return real_known.load(std::memory_order_acquire) ? &known_real : FindReal();
}

// Where the wrapper was called. To be made in the exported function itself.
struct Caller {
  const void* return_address;
  const void* frame_address;
};
#define GPUSAN_CALLER() \
  ::gpusan::host_hooks::Caller { __builtin_return_address(0), __builtin_frame_address(0) }

// Whether this call is the program's own. False inside gpusan, the driver, another wrapper.
inline bool IsProgramCall() { return !ReentryGuard::Active() && !HostMemory::BusyOnThisThread(); }

// Raised by an operator new around the real one: the next allocation on this thread is the one it
// makes, and the operator keeps it. A flag and not a guard, since the real operator may leave by an
// exception, and wrappers must be transparent to those: the program's C++ runtime is not the one
// linked in here.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local bool new_pending;

// --- the short way of blocks that are too small to be kept, which most are
// Requests below this are passed on at once. 0: none, since the C library does not serve malloc, or
// since the real functions are not known yet.
extern std::atomic<size_t> plain_below;
// Blocks whose chunk (the word that the C library has in front of each) is smaller than this were
// never kept. 0: nothing is known of chunks.
extern std::atomic<size_t> plain_chunk_below;
// The same where operator delete gives a block back: the process's own may have another allocator
// behind it.
extern std::atomic<size_t> plain_deleted_below;
extern char bootstrap[64 * 1024];
inline bool IsBootstrap(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(bootstrap) <
         sizeof(bootstrap);
}
__attribute__((no_sanitize("address"))) inline bool IsPlain(const void* memory,
                                                            const std::atomic<size_t>& below) {
  const size_t limit = below.load(std::memory_order_acquire);
  // The chunk's size in bytes, its flags in the three lowest bits.
  return limit != 0 && !IsBootstrap(memory) &&
         (static_cast<const size_t*>(memory)[-1] & ~size_t{7}) < limit;
}

// A block of at least host_block_min bytes came into being.
void NoteAcquired(void* memory, size_t bytes, HostBlockKind kind, Caller caller);
extern std::atomic<size_t> host_block_min;
inline void NoteHeap(void* memory, size_t bytes, Caller caller) {
  if (bytes >= host_block_min.load(std::memory_order_relaxed) && memory != nullptr) {
    NoteAcquired(memory, bytes, HostBlockKind::kHeap, caller);
  }
}

// Before a heap block goes back. Fills *block and answers true if it was known. Also correct inside
// a guard: then the block is forgotten and nobody is told.
bool NoteReleased(void* memory, Caller caller, HostBlock* block);
inline void NoteReleased(void* memory, Caller caller) {
  HostBlock block;
  if (memory != nullptr) NoteReleased(memory, caller, &block);
}

// Before [memory, memory + bytes) leaves the address space or is mapped anew.
void NoteUnmapped(void* memory, size_t bytes, Caller caller);

// Memory for the time in which the real functions are being looked up. Zeroed; never given back.
void* BootstrapAllocate(size_t bytes, size_t alignment);
// Bytes from `memory` to the end of what has been handed out.
size_t BootstrapLeft(const void* memory);

}  // namespace gpusan::host_hooks
