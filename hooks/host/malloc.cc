// The malloc family. Each forwards to the next function of the same name; a release is recorded
// before it is forwarded, since the address can be reused at once, an acquisition after.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "hooks/host/host_hooks.h"

using gpusan::HostBlock;
using gpusan::ReentryGuard;
using namespace gpusan::host_hooks;  // NOLINT(google-build-using-namespace): this file is its
                                     // wrappers

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

// Runs `allocate` inside a ReentryGuard, so that the allocator's own mappings and calls do not
// count as the program's, and records the block.
template <typename Allocate>
__attribute__((always_inline)) inline void* Acquire(size_t bytes, Caller caller,
                                                    Allocate allocate) {
  if (!IsProgramCall()) return allocate();
  void* memory;
  {
    ReentryGuard guard;
    memory = allocate();
  }
  if (new_pending) {
    new_pending = false;
  } else {
    NoteHeap(memory, bytes, caller);
  }
  return memory;
}

// The block is not known during the real call, because another thread may get its old address.
template <typename Reallocate>
__attribute__((always_inline)) inline void* Resize(void* old, size_t bytes, Caller caller,
                                                   Reallocate reallocate) {
  if (old != nullptr && IsPlain(old, plain_chunk_below)) NotePlainReleased(old, caller);
  HostBlock block;
  const bool known = old != nullptr && NoteReleased(old, caller, &block);
  if (!IsProgramCall()) return reallocate();
  void* memory;
  {
    ReentryGuard guard;
    memory = reallocate();
  }
  if (memory != nullptr) {
    NoteHeap(memory, bytes, caller);
  } else if (known && bytes != 0) {
    gpusan::HostBlocks()->Add(block);  // failed: the old block lives on
  }
  return memory;
}

void* ResizeBootstrap(void* old, size_t bytes) {
  void* memory = malloc(bytes);
  const size_t old_bytes = BootstrapLeft(old);
  if (memory != nullptr) memcpy(memory, old, old_bytes < bytes ? old_bytes : bytes);
  return memory;
}

}  // namespace

GPUSAN_EXPORT void* malloc(size_t bytes) {
  if (bytes < plain_below.load(std::memory_order_acquire)) return known_real.malloc(bytes);
  const Real* real = GetReal();
  if (real == nullptr) return BootstrapAllocate(bytes, 16);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->malloc(bytes); });
}

GPUSAN_EXPORT void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  const bool overflow = __builtin_mul_overflow(count, size, &bytes);
  if (!overflow && bytes < plain_below.load(std::memory_order_acquire))
    return known_real.calloc(count, size);
  const Real* real = GetReal();
  // The allocator defines the result; a block without a size is not recorded.
  if (overflow) return real == nullptr ? nullptr : real->calloc(count, size);
  if (real == nullptr) return BootstrapAllocate(bytes, 16);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->calloc(count, size); });
}

GPUSAN_EXPORT void* realloc(void* old, size_t bytes) {
  if (bytes < plain_below.load(std::memory_order_acquire) &&
      (old == nullptr || IsPlain(old, plain_chunk_below))) {
    if (old != nullptr) NotePlainReleased(old, GPUSAN_CALLER());
    return known_real.realloc(old, bytes);
  }
  const Real* real = GetReal();
  if (real == nullptr) return old == nullptr ? BootstrapAllocate(bytes, 16) : nullptr;
  if (IsBootstrap(old)) return ResizeBootstrap(old, bytes);
  return Resize(old, bytes, GPUSAN_CALLER(), [&] { return real->realloc(old, bytes); });
}

GPUSAN_EXPORT void* reallocarray(void* old, size_t count, size_t size) {
  const Real* real = GetReal();
  size_t bytes = 0;
  const bool overflow = __builtin_mul_overflow(count, size, &bytes);
  const bool has_own = real != nullptr && real->reallocarray != nullptr;
  if (overflow && !has_own) {
    errno = ENOMEM;
    return nullptr;
  }
  if (overflow) return real->reallocarray(old, count, size);
  if (real == nullptr) return old == nullptr ? BootstrapAllocate(bytes, 16) : nullptr;
  if (IsBootstrap(old)) return ResizeBootstrap(old, bytes);
  return Resize(old, bytes, GPUSAN_CALLER(), [&] {
    return has_own ? real->reallocarray(old, count, size) : real->realloc(old, bytes);
  });
}

GPUSAN_EXPORT void free(void* memory) {
  if (memory == nullptr) return;
  if (IsPlain(memory, plain_chunk_below)) {
    NotePlainReleased(memory, GPUSAN_CALLER());
    return known_real.free(memory);
  }
  const Real* real = GetReal();
  if (real == nullptr || IsBootstrap(memory)) return;
  NoteReleased(memory, GPUSAN_CALLER());
  real->free(memory);
}

GPUSAN_EXPORT void cfree(void* memory) {
  const Real* real = GetReal();
  if (real == nullptr || IsBootstrap(memory)) return;
  NoteReleased(memory, GPUSAN_CALLER());
  real->cfree != nullptr ? real->cfree(memory) : real->free(memory);
}

GPUSAN_EXPORT void* memalign(size_t alignment, size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) return BootstrapAllocate(bytes, alignment);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->memalign(alignment, bytes); });
}

GPUSAN_EXPORT int posix_memalign(void** result, size_t alignment, size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) {
    *result = BootstrapAllocate(bytes, alignment);
    return *result == nullptr ? ENOMEM : 0;
  }
  int code = 0;
  Acquire(bytes, GPUSAN_CALLER(), [&]() -> void* {
    code = real->posix_memalign(result, alignment, bytes);
    return code == 0 ? *result : nullptr;
  });
  return code;
}

GPUSAN_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) return BootstrapAllocate(bytes, alignment);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->aligned_alloc(alignment, bytes); });
}

GPUSAN_EXPORT void* valloc(size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) return BootstrapAllocate(bytes, 4096);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->valloc(bytes); });
}

GPUSAN_EXPORT void* pvalloc(size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) return BootstrapAllocate(bytes, 4096);
  return Acquire(bytes, GPUSAN_CALLER(), [&] { return real->pvalloc(bytes); });
}

// The caller may use all bytes of the result: the block has this size from now on.
GPUSAN_EXPORT size_t malloc_usable_size(void* memory) {
  const Real* real = GetReal();
  if (memory == nullptr) return 0;
  if (IsBootstrap(memory)) return BootstrapLeft(memory);
  if (real == nullptr || real->malloc_usable_size == nullptr) return 0;
  const size_t usable = real->malloc_usable_size(memory);
  HostBlock block;
  if (IsProgramCall() && gpusan::HostBlocks()->Find(reinterpret_cast<uintptr_t>(memory), &block) &&
      block.kind == gpusan::HostBlockKind::kHeap &&
      block.begin == reinterpret_cast<uintptr_t>(memory) && block.bytes < usable) {
    block.bytes = usable;
    gpusan::HostBlocks()->Add(block);
  }
  return usable;
}
