// Whether released memory may already serve another purpose.
#pragma once

#include <cstdint>

namespace gpusan {

// Returns false only if it is certain that [address, address + bytes), which the program released
// and which overlaps no known block, is not in use again. Small blocks, stacks of threads, and
// allocators that gpusan does not intercept may use it. Reads /proc/self/maps: for findings only.
// Thread-safe, allocates nothing, preserves errno.
bool MayBeReused(uintptr_t address, uint64_t bytes);

}  // namespace gpusan
