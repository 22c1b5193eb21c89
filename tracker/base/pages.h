// Memory directly from the kernel, for code that runs inside the program's malloc.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace gpusan {

namespace page_calls {

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer must see that memory is released, or it takes the next owner of the address for
// the same one. mmap is not hooked in such a build.
inline long Map(size_t bytes) {
  return reinterpret_cast<long>(mmap(nullptr, bytes, kProtection, kFlags, -1, 0));
}
inline void Unmap(void* pages, size_t bytes) { munmap(pages, bytes); }
#else
inline long Map(size_t bytes) {
  return syscall(SYS_mmap, nullptr, bytes, kProtection, kFlags, -1, 0L);
}
inline void Unmap(void* pages, size_t bytes) { syscall(SYS_munmap, pages, bytes); }
#endif

}  // namespace page_calls

// Returns at least `bytes` of zeroed private pages, or nullptr when the kernel refuses. Untouched
// pages use no memory. Preserves errno. Uses the system call because mmap itself is hooked.
inline void* AllocatePages(size_t bytes) {
  const int saved_errno = errno;
  const long address = page_calls::Map(bytes);
  errno = saved_errno;
  return address == -1 ? nullptr : reinterpret_cast<void*>(address);
}

inline void FreePages(void* pages, size_t bytes) {
  const int saved_errno = errno;
  page_calls::Unmap(pages, bytes);
  errno = saved_errno;
}

// Allocates small pieces from pages and reuses freed pieces of the same size class. Never returns
// these pages to the kernel. Not thread-safe: the lock of the owner must guard it.
class PageArena {
 public:
  // Returns uninitialised memory with an alignment of 16 bytes, or nullptr when the kernel refuses.
  void* Allocate(size_t bytes) {
    const size_t index = ClassOf(bytes);
    if (index >= kClasses) return AllocatePages(bytes);
    if (Piece* piece = free_[index]) {
      free_[index] = piece->next;
      return piece;
    }
    const size_t rounded = (index + 1) * kGrain;
    if (left_ < rounded) {
      void* pages = AllocatePages(kRefill);
      if (pages == nullptr) return nullptr;
      next_ = static_cast<char*>(pages);
      left_ = kRefill;
    }
    void* result = next_;
    next_ += rounded;
    left_ -= rounded;
    return result;
  }

  void Free(void* memory, size_t bytes) {
    const size_t index = ClassOf(bytes);
    if (index >= kClasses) return FreePages(memory, bytes);
    Piece* piece = static_cast<Piece*>(memory);
    piece->next = free_[index];
    free_[index] = piece;
  }

 private:
  struct Piece {
    Piece* next;
  };
  static constexpr size_t kGrain = 16;
  static constexpr size_t kClasses = 128;  // up to 2 KiB, which covers every node of a B-tree
  static constexpr size_t kRefill = 64 * 1024;
  static size_t ClassOf(size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / kGrain; }

  char* next_ = nullptr;
  size_t left_ = 0;
  Piece* free_[kClasses] = {};
};

// Standard allocator on a PageArena. The memory of the container is released when the process
// ends.
template <typename T>
class PageArenaAllocator {
 public:
  using value_type = T;
  explicit PageArenaAllocator(PageArena* arena) : arena_(arena) {}
  template <typename U>
  PageArenaAllocator(const PageArenaAllocator<U>& other)
      : arena_(other.arena()) {}  // NOLINT: converts by design

  T* allocate(size_t count) {
    void* memory = arena_->Allocate(count * sizeof(T));
    if (memory == nullptr) __builtin_trap();  // out of memory: the program cannot continue either
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { arena_->Free(memory, count * sizeof(T)); }

  PageArena* arena() const { return arena_; }
  template <typename U>
  bool operator==(const PageArenaAllocator<U>& other) const {
    return arena_ == other.arena();
  }

 private:
  PageArena* arena_;
};

}  // namespace gpusan
