// Memory of this process behind a pointer that may be wrong.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan::cuda {

// Copies up to `bytes` from `address`, as far as pages are mapped and readable from there on; never
// faults. Bytes copied; errno is kept.
size_t ReadOwnMemory(uintptr_t address, void* to, size_t bytes);

}  // namespace gpusan::cuda
