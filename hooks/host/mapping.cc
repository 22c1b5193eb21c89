// mmap, munmap, mremap, mprotect and madvise.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "hooks/host/host_hooks.h"
#include "hooks/host/reservations.h"
#include "tracker/memory/protected_memory.h"

using namespace gpusan::host_hooks;  // NOLINT(google-build-using-namespace): this file is its
                                     // wrappers

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

// The C library's wrappers add nothing to these system calls on 64-bit machines, so they serve
// until the real functions are known.
void* MapNow(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

// Mappings are recorded in whole pages, all of which the program can access.
size_t WholePages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

// Call before the range is unmapped or mapped again.
void ForgetRange(void* memory, size_t bytes, Caller caller) {
  NoteUnmapped(memory, WholePages(bytes), caller);
  ForgetReserved(memory, WholePages(bytes));
  gpusan::ForgetProtected(reinterpret_cast<uintptr_t>(memory), WholePages(bytes));
}

// The program has given the range these rights. Code is left out: just-in-time compilers have much,
// and no transfer is meant to go there.
void NoteProtection(void* memory, size_t bytes, int protection) {
  if ((protection & (PROT_WRITE | PROT_EXEC)) != 0) return;
  gpusan::NoteProtected(reinterpret_cast<uintptr_t>(memory), WholePages(bytes),
                        (protection & PROT_READ) != 0);
}

template <typename Map>
__attribute__((always_inline)) inline void* Mapped(void* address, size_t bytes, int protection,
                                                   int flags, Caller caller, Map map) {
  if (!IsProgramCall()) {
    if ((flags & MAP_FIXED) != 0) ForgetRange(address, bytes, caller);
    return map();
  }
  const bool replaces =
      (flags & MAP_FIXED) != 0 && (flags & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE;
  if (replaces) ForgetRange(address, bytes, caller);
  void* memory = map();
  if (memory == MAP_FAILED) return memory;
  if (protection != PROT_NONE) {
    NoteAcquired(memory, WholePages(bytes), gpusan::HostBlockKind::kMapping, caller);
  } else {
    NoteReserved(memory, WholePages(bytes), caller);
  }
  NoteProtection(memory, bytes, protection);
  return memory;
}

}  // namespace

GPUSAN_EXPORT void* mmap(void* address, size_t bytes, int protection, int flags, int file,
                         off_t offset) {
  const Real* real = GetReal();
  if (real == nullptr) return MapNow(address, bytes, protection, flags, file, offset);
  return Mapped(address, bytes, protection, flags, GPUSAN_CALLER(),
                [&] { return real->mmap(address, bytes, protection, flags, file, offset); });
}

GPUSAN_EXPORT void* mmap64(void* address, size_t bytes, int protection, int flags, int file,
                           off_t offset) {
  const Real* real = GetReal();
  if (real == nullptr) return MapNow(address, bytes, protection, flags, file, offset);
  return Mapped(address, bytes, protection, flags, GPUSAN_CALLER(),
                [&] { return real->mmap64(address, bytes, protection, flags, file, offset); });
}

GPUSAN_EXPORT int munmap(void* address, size_t bytes) {
  const Real* real = GetReal();
  if (real == nullptr) return static_cast<int>(syscall(SYS_munmap, address, bytes));
  ForgetRange(address, bytes, GPUSAN_CALLER());
  return real->munmap(address, bytes);
}

GPUSAN_EXPORT void* mremap(void* old, size_t old_bytes, size_t bytes, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void* wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  const Real* real = GetReal();
  if (real == nullptr) {
    return reinterpret_cast<void*>(syscall(SYS_mremap, old, old_bytes, bytes, flags, wanted));
  }
  const Caller caller = GPUSAN_CALLER();
  if (old_bytes != 0 && (flags & MREMAP_DONTUNMAP) == 0) ForgetRange(old, old_bytes, caller);
  if (wanted != nullptr) ForgetRange(wanted, bytes, caller);
  void* memory = real->mremap(old, old_bytes, bytes, flags, wanted);
  if (IsProgramCall()) {
    if (memory != MAP_FAILED) {
      NoteAcquired(memory, WholePages(bytes), gpusan::HostBlockKind::kMapping, caller);
    } else if (old_bytes != 0) {
      NoteAcquired(old, WholePages(old_bytes), gpusan::HostBlockKind::kMapping, caller);
    }
  }
  return memory;
}

GPUSAN_EXPORT int mprotect(void* memory, size_t bytes, int protection) {
  const Real* real = GetReal();
  if (real == nullptr || real->mprotect == nullptr)
    return static_cast<int>(syscall(SYS_mprotect, memory, bytes, protection));
  if ((protection & PROT_WRITE) == 0)
    NoteLost(memory, WholePages(bytes),
             (protection & PROT_READ) != 0 ? gpusan::HostLoss::kRightToWrite
                                           : gpusan::HostLoss::kAllRights,
             "mprotect", GPUSAN_CALLER());
  const int result = real->mprotect(memory, bytes, protection);
  if (result != 0) return result;
  if ((protection & PROT_WRITE) != 0)
    gpusan::ForgetProtected(reinterpret_cast<uintptr_t>(memory), WholePages(bytes));
  if (!IsProgramCall()) return result;
  if (protection != PROT_NONE) NoteAccessible(memory, WholePages(bytes), GPUSAN_CALLER());
  NoteProtection(memory, bytes, protection);
  return result;
}

GPUSAN_EXPORT int madvise(void* memory, size_t bytes, int advice) {
  const Real* real = GetReal();
  if (real == nullptr || real->madvise == nullptr)
    return static_cast<int>(syscall(SYS_madvise, memory, bytes, advice));
  if (advice == MADV_DONTNEED || advice == MADV_FREE)
    NoteLost(memory, WholePages(bytes), gpusan::HostLoss::kContent, "madvise", GPUSAN_CALLER());
  return real->madvise(memory, bytes, advice);
}
