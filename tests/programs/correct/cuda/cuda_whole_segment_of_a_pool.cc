// A pool's segment is set and copied as a whole, from the address of its first block on, and in
// parts that begin between the blocks. The blocks then have content.
#include <initializer_list>

#include "common/cuda_pool.h"

static constexpr size_t kBytes = 1 << 20, kBlock = 4096;

int main() {
  Open();
  CUstream stream = NewStream();
  char* data = NewPinned(kBytes);
  for (const unsigned flags : {0u, unsigned{GPUSAN_POOL_EXACT}}) {
    OpenPool(flags);
    const CUdeviceptr second = pool_memory + kBlock, late = pool_memory + kBytes / 2;
    gpusan_block_alloc(pool, pool_memory, kBlock, Number(stream), 0);
    gpusan_block_alloc(pool, second, kBlock, Number(stream), 0);
    OK(cuMemsetD8Async(pool_memory, 1, kBytes, stream));
    OK(cuMemcpyDtoHAsync(data, second, kBlock, stream));
    OK(cuMemcpyDtoHAsync(data, pool_memory, kBytes, stream));
    OK(cuMemcpyHtoDAsync(pool_memory, data, kBytes, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(data[0] == 1 && data[kBytes - 1] == 1);
    if (flags == 0) OK(cuMemsetD8Async(late - kBlock, 2, 4 * kBlock, stream));
    gpusan_block_alloc(pool, late, kBlock, Number(stream), 0);
    OK(cuMemcpyDtoHAsync(data, late, kBlock, stream));
    OK(cuStreamSynchronize(stream));
    for (const CUdeviceptr block : {pool_memory, second, late})
      gpusan_block_free(pool, block, Number(stream));
    ClosePool();
  }
  Close(data, stream);
}
