// Defect: Kernels read and write past the end of a buffer, into memory that the program owns.
// Fix: The count is that of the buffer.
#include "common/cuda_machine_code.h"
#include "common/cuda_pool.h"

// Defect: A kernel writes past the end of a block of the program's own pool, into the next block.
// Fix: The count is that of the block.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
static void CodeBlockOfAPool() {
  OpenPool(0);
  CUfunction set = CodeKernel(CODE_SET);
  const CUdeviceptr block = pool_memory, next = pool_memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  gpusan_block_alloc(pool, next, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  int value = 5;
  void* arguments[] = {(void*)&block, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 5, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  gpusan_block_free(pool, next, GPUSAN_NO_STREAM);
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
}

// Defect: A kernel reads past the end of one of its inputs. Its output, which it writes, is then read: only the first is an
//   error.
// Fix: The input is as large as the output.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT outside_bytes=256
static void CodeOutputReadBehindAnOverrun() {
  CUfunction add = CodeKernel(CODE_ADD);
#ifdef DEFECT
  const size_t bytes = 4096 - 256;
#else
  const size_t bytes = 4096;
#endif
  CUdeviceptr a = NewZeros(bytes), b = NewZeros(4096), sum = NewMemory(4096);
  int count = 1024;
  void* arguments[] = {&a, &b, &sum, &count};
  // @HERE_2
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static float result[1024];
  OK(cuMemcpyDtoH(result, sum, sizeof(result)));
  CHECK(result[0] == 0);
  Release(sum, b, a);
}

int main() {
  Open();
  CodeBlockOfAPool();
  CodeOutputReadBehindAnOverrun();
  Close();
}
