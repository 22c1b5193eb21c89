// Reads memory of this process through a pointer that may be invalid.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan {

// Copies up to `bytes` bytes from `address`, until the first page that is not mapped or not
// readable. Returns the number of bytes copied. Never faults; keeps errno. Thread-safe.
size_t ReadOwnMemory(uintptr_t address, void* to, size_t bytes);

}  // namespace gpusan
