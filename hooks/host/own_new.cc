// The C++ operators new and delete of gpusan's own code, by malloc and free.
//
// The linker resolves all references of the library to them (--wrap), because the exported
// operators (new.cc) forward to those of the process: some of the C++ runtime call others by name,
// which a program may have replaced, so that a block could be released by another operator than
// made it. Thread-safe, as malloc is.
#include <cstddef>
#include <cstdlib>
#include <new>

#define GPUSAN_OWN extern "C" __attribute__((visibility("hidden")))

namespace {

void* Allocate(size_t bytes, size_t alignment) {
  if (bytes == 0) bytes = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* AllocateOrThrow(size_t bytes, size_t alignment) {
  void* const memory = Allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

GPUSAN_OWN void* __wrap__Znwm(size_t bytes) { return AllocateOrThrow(bytes, 0); }
GPUSAN_OWN void* __wrap__Znam(size_t bytes) { return AllocateOrThrow(bytes, 0); }
GPUSAN_OWN void* __wrap__ZnwmRKSt9nothrow_t(size_t bytes, const void*) {
  return Allocate(bytes, 0);
}
GPUSAN_OWN void* __wrap__ZnamRKSt9nothrow_t(size_t bytes, const void*) {
  return Allocate(bytes, 0);
}
GPUSAN_OWN void* __wrap__ZnwmSt11align_val_t(size_t bytes, size_t alignment) {
  return AllocateOrThrow(bytes, alignment);
}
GPUSAN_OWN void* __wrap__ZnamSt11align_val_t(size_t bytes, size_t alignment) {
  return AllocateOrThrow(bytes, alignment);
}
GPUSAN_OWN void* __wrap__ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment,
                                                           const void*) {
  return Allocate(bytes, alignment);
}
GPUSAN_OWN void* __wrap__ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment,
                                                           const void*) {
  return Allocate(bytes, alignment);
}

#define GPUSAN_OWN_DELETE(symbol, ...) \
  GPUSAN_OWN void __wrap_##symbol(void* memory, ##__VA_ARGS__) { std::free(memory); }
GPUSAN_OWN_DELETE(_ZdlPv)
GPUSAN_OWN_DELETE(_ZdaPv)
GPUSAN_OWN_DELETE(_ZdlPvm, size_t)
GPUSAN_OWN_DELETE(_ZdaPvm, size_t)
GPUSAN_OWN_DELETE(_ZdlPvRKSt9nothrow_t, const void*)
GPUSAN_OWN_DELETE(_ZdaPvRKSt9nothrow_t, const void*)
GPUSAN_OWN_DELETE(_ZdlPvSt11align_val_t, size_t)
GPUSAN_OWN_DELETE(_ZdaPvSt11align_val_t, size_t)
GPUSAN_OWN_DELETE(_ZdlPvmSt11align_val_t, size_t, size_t)
GPUSAN_OWN_DELETE(_ZdaPvmSt11align_val_t, size_t, size_t)
GPUSAN_OWN_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, size_t, const void*)
GPUSAN_OWN_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, size_t, const void*)
