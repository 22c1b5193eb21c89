// Host memory that the program has mapped or protected so that it cannot write or read there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusan {

namespace protected_internal {
extern std::atomic<int> ranges_in_use;
uintptr_t Find(uintptr_t begin, uint64_t bytes, bool write);
}  // namespace protected_internal

// Records that the program cannot write to the range, and cannot read it if `readable` is false.
// Keeps only the newest ranges. Thread-safe; may be called inside of malloc.
void NoteProtected(uintptr_t begin, uint64_t bytes, bool readable);

// Records that the range is unmapped, mapped again or writable. Costs one load if no range is
// known. Thread-safe; may be called inside of malloc.
void ForgetProtected(uintptr_t begin, uint64_t bytes);

// Returns an address of the range that the program may be unable to write (`write`) or to read; 0
// if no such address is known. IsProtected gives the certain answer. Costs one load if no range is
// known. Thread-safe.
inline uintptr_t FindProtected(uintptr_t begin, uint64_t bytes, bool write) {
  return protected_internal::ranges_in_use.load(std::memory_order_relaxed) == 0
             ? 0
             : protected_internal::Find(begin, bytes, write);
}

// Returns whether an access to the byte at `address` would surely fail: the memory is mapped
// without the right, and no handler of SIGSEGV can return. Reads /proc/self/maps, so call it
// only with a result of FindProtected. Thread-safe.
bool IsProtected(uintptr_t address, bool write);

// Returns whether the program may read or write some byte of the range. Reads /proc/self/maps.
// Thread-safe.
bool IsAnyAccessible(uintptr_t begin, uint64_t bytes);

}  // namespace gpusan
