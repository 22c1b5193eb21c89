// A pool of the program for the CUDA programs: 1 MiB of device memory that is divided into blocks,
// of which gpusan learns by gpusan.h.
#pragma once

#include "../../../layer/runtime/gpusan.h"
#include "common/cuda.h"

[[maybe_unused]] static CUdeviceptr pool_memory;
[[maybe_unused]] static uint64_t pool;

[[maybe_unused]] static void OpenPool(unsigned flags) {
  pool_memory = NewMemory(1 << 20);
  pool = gpusan_pool_create(GPUSAN_API_CUDA, pool_memory, flags);
}

[[maybe_unused]] static void ClosePool() {
  gpusan_pool_destroy(pool);
  OK(cuMemFree(pool_memory));
}

// The stream as an argument of the functions of gpusan.h.
[[maybe_unused]] static uint64_t Number(CUstream stream) { return (uint64_t)(uintptr_t)stream; }
