// C++ operators new and delete. Each forwards to the next operator of the same name, so that a
// program that mixes an allocator's new with the C library's free behaves as it does without
// gpusan. If the process has no C++ runtime in its global scope, they call malloc and free.
//
// No object with a destructor lives across the real operator new: see new_pending.
#include <cstddef>

#include "hooks/common/base/next_symbol.h"
#include "hooks/host/host_hooks.h"

using namespace gpusan::host_hooks;  // NOLINT(google-build-using-namespace): this file is its
                                     // wrappers

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

// The replacement of a missing operator new. Returns nullptr when memory is exhausted; then OrThrow
// calls the operator of a C++ runtime that some file loaded for itself, which has the new_handler
// and can throw.
void* NewByMalloc(const Real* real, size_t bytes, size_t alignment) {
  if (bytes == 0) bytes = 1;
  if (alignment == 0) return real->malloc(bytes);
  void* memory = nullptr;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return real->posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* OrThrow(void* memory, size_t bytes) {
  if (memory != nullptr) return memory;
  using New = void* (*)(size_t);
  const New runtime_new = reinterpret_cast<New>(gpusan::SymbolOfFile("libstdc++.so", "_Znwm"));
  if (runtime_new == nullptr) __builtin_trap();
  return runtime_new(bytes);
}

template <typename Allocate>
__attribute__((always_inline)) inline void* Acquire(size_t bytes, Caller caller,
                                                    Allocate allocate) {
  if (bytes < host_block_min.load(std::memory_order_relaxed) || !IsProgramCall()) return allocate();
  new_pending = true;
  void* memory = allocate();
  new_pending = false;
  NoteHeap(memory, bytes, caller);
  return memory;
}

}  // namespace

// operator new, by name and parameters; `alignment` is 0 for the unaligned overloads.
#define GPUSAN_NEW(symbol, parameters, arguments, alignment, or_throw) \
  GPUSAN_EXPORT void* symbol parameters {                              \
    const Real* real = GetReal();                                      \
    if (real == nullptr) return BootstrapAllocate(bytes, alignment);   \
    return Acquire(bytes, GPUSAN_CALLER(), [&]() -> void* {            \
      if (real->symbol != nullptr) return real->symbol arguments;      \
      return or_throw(NewByMalloc(real, bytes, alignment));            \
    });                                                                \
  }
#define GPUSAN_THROWS(memory) OrThrow(memory, bytes)
#define GPUSAN_NULL(memory) (memory)

GPUSAN_NEW(_Znwm, (size_t bytes), (bytes), 0, GPUSAN_THROWS)
GPUSAN_NEW(_Znam, (size_t bytes), (bytes), 0, GPUSAN_THROWS)
GPUSAN_NEW(_ZnwmRKSt9nothrow_t, (size_t bytes, const void* tag), (bytes, tag), 0, GPUSAN_NULL)
GPUSAN_NEW(_ZnamRKSt9nothrow_t, (size_t bytes, const void* tag), (bytes, tag), 0, GPUSAN_NULL)
GPUSAN_NEW(_ZnwmSt11align_val_t, (size_t bytes, size_t to), (bytes, to), to, GPUSAN_THROWS)
GPUSAN_NEW(_ZnamSt11align_val_t, (size_t bytes, size_t to), (bytes, to), to, GPUSAN_THROWS)
GPUSAN_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t to, const void* tag),
           (bytes, to, tag), to, GPUSAN_NULL)
GPUSAN_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t to, const void* tag),
           (bytes, to, tag), to, GPUSAN_NULL)

// operator delete. An overload that the process lacks calls `plain`, as in the C++ runtime.
#define GPUSAN_DELETE(symbol, plain, parameters, arguments) \
  GPUSAN_EXPORT void symbol parameters {                    \
    const Real* real = GetReal();                           \
    if (real == nullptr || IsBootstrap(memory)) return;     \
    if (memory != nullptr) {                                \
      if (IsPlain(memory, plain_deleted_below)) {           \
        NotePlainReleased(memory, GPUSAN_CALLER());         \
      } else {                                              \
        NoteReleased(memory, GPUSAN_CALLER());              \
      }                                                     \
    }                                                       \
    if (real->symbol != nullptr) {                          \
      real->symbol arguments;                               \
    } else if (real->plain != nullptr) {                    \
      real->plain(memory);                                  \
    } else {                                                \
      real->free(memory);                                   \
    }                                                       \
  }

GPUSAN_DELETE(_ZdlPv, _ZdlPv, (void* memory), (memory))
GPUSAN_DELETE(_ZdaPv, _ZdlPv, (void* memory), (memory))
GPUSAN_DELETE(_ZdlPvm, _ZdlPv, (void* memory, size_t bytes), (memory, bytes))
GPUSAN_DELETE(_ZdaPvm, _ZdaPv, (void* memory, size_t bytes), (memory, bytes))
GPUSAN_DELETE(_ZdlPvRKSt9nothrow_t, _ZdlPv, (void* memory, const void* tag), (memory, tag))
GPUSAN_DELETE(_ZdaPvRKSt9nothrow_t, _ZdaPv, (void* memory, const void* tag), (memory, tag))
GPUSAN_DELETE(_ZdlPvSt11align_val_t, _ZdlPv, (void* memory, size_t to), (memory, to))
GPUSAN_DELETE(_ZdaPvSt11align_val_t, _ZdaPv, (void* memory, size_t to), (memory, to))
GPUSAN_DELETE(_ZdlPvmSt11align_val_t, _ZdlPv, (void* memory, size_t bytes, size_t to),
              (memory, bytes, to))
GPUSAN_DELETE(_ZdaPvmSt11align_val_t, _ZdaPv, (void* memory, size_t bytes, size_t to),
              (memory, bytes, to))
GPUSAN_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, _ZdlPv,
              (void* memory, size_t to, const void* tag), (memory, to, tag))
GPUSAN_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, _ZdaPv,
              (void* memory, size_t to, const void* tag), (memory, to, tag))
