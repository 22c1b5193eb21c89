// Defect: Kernels access elements past the end of a buffer, by their counts, widths and grids, and
// by what they compute.
// Fix: The buffer is large enough, or the values are right.
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

// Defect: A kernel reads past the end of one of its inputs. Its output, which it writes, is then
// read: only the first is an
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

// Defect: An unrolled element-wise kernel reads one element more than its input has.
// Fix: The count is that of the input.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_8
// EXPECT-FACT kernel=code_each
// EXPECT-FACT outside_bytes=4
static void CodeEachPastTheEnd() {
  CUfunction each = CodeKernel(CODE_EACH);
  Array in = {NewZeros(4096), 4096, 1024, 4}, out = {NewZeros(8192), 8192, 2048, 4};
#ifdef DEFECT
  long long count = 1025;
#else
  long long count = 1024;
#endif
  void* arguments[] = {&in, &out, &count};
  // @HERE_8
  OK(cuLaunchKernel(each, 9, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out.data, in.data);
}

// Defect: A sum has one partial sum less than it has blocks. Its blocks count themselves by an
// atomic operation. Fix: There is one partial sum for each block.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_9
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT kernel=code_total
// EXPECT-FACT outside_bytes=4
static void CodePartialSumsTooFew() {
  CUfunction sum = CodeKernel(CODE_TOTAL);
#ifdef DEFECT
  size_t bytes = 12;
#else
  size_t bytes = 16;
#endif
  Total total = {NewZeros(4000), NewZeros(4), 0, NewZeros(4), 1000};
  // @CREATED_2
  OK(cuMemAlloc(&total.partial, bytes));
  void* arguments[] = {&total};
  // @HERE_9
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(total.arrived, total.partial, total.sum, total.in);
}

// Defect: A kernel writes more elements in each row than the pitched memory has. The pitch is an
// argument of 64 bits. Fix: The width is that of the memory.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT kernel=code_pitched
// EXPECT-FACT outside_bytes=288
static void CodeRowsWiderThanTheirPitch() {
  CUfunction write = CodeKernel(CODE_PITCHED);
  CUdeviceptr rows;
  size_t pitch;
  int width = 100, height = 20;
  // @CREATED_3
  OK(cuMemAllocPitch(&rows, &pitch, 400, 20, 4));
#ifdef DEFECT
  width = 200;
#endif
  void* arguments[] = {&rows, &pitch, &width, &height};
  // @HERE_3
  OK(cuLaunchKernel(write, 7, 6, 1, 32, 4, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(rows);
}

// Defect: A grid-stride loop writes one element more than its buffer has.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_4
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=code_stride
// EXPECT-FACT outside_bytes=4
static void CodeStridePastTheEnd() {
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(4096);
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  void* arguments[] = {&in, &out, &count};
  // @HERE_4
  OK(cuLaunchKernel(stride, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out, in);
}

// Defect: The row of the last warp is one element longer than what is left of the buffer.
// Fix: The buffer has whole rows.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_5
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_warp_rows
// EXPECT-FACT outside_bytes=4
static void CodeWarpPastTheLastRow() {
  CUfunction kernel = CodeKernel(CODE_WARP_ROWS);
  int pitch = 64;
#ifdef DEFECT
  const size_t elements = 7 * 64 + 31;
#else
  const size_t elements = 7 * 64 + 32;
#endif
  CUdeviceptr out = NewMemory(elements * sizeof(float));
  void* arguments[] = {&out, &pitch};
  // @HERE_5
  OK(cuLaunchKernel(kernel, 2, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out);
}

// Defect: A kernel writes interleaved channels from the start of a plane on.
// Fix: It writes them from the number of the channel on.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_6
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_spread
// EXPECT-FACT outside_bytes=3992
static void CodeChannelOfAPlane() {
  CUfunction spread = CodeKernel(CODE_SPREAD);
  CUdeviceptr out = NewZeros(12000), in = NewZeros(4000);
  int count = 1000, channels = 3;
#ifdef DEFECT
  int first = 1000;
#else
  int first = 1;
#endif
  void* arguments[] = {&out, &in, &count, &channels, &first};
  // @HERE_6
  OK(cuLaunchKernel(spread, 2, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(in, out);
}

// Defect: The output of a transposition by tiles has as many columns as the input has rows, but
// also as many rows. Fix: It has as many rows as the input has columns.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_7
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_transpose
static void CodeTransposedIntoASquare() {
  CUfunction transpose = CodeKernel(CODE_TRANSPOSE);
  int width = 200, height = 70;
#ifdef DEFECT
  const size_t rows = 70;
#else
  const size_t rows = 200;
#endif
  CUdeviceptr out = NewZeros(70 * rows * sizeof(float)), in = NewZeros(200 * 70 * sizeof(float));
  void* arguments[] = {&out, &in, &width, &height};
  // @HERE_7
  OK(cuLaunchKernel(transpose, 7, 3, 1, 32, 8, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(in, out);
}

int main() {
  Open();
  CodeBlockOfAPool();
  CodeOutputReadBehindAnOverrun();
  CodeEachPastTheEnd();
  CodePartialSumsTooFew();
  CodeRowsWiderThanTheirPitch();
  CodeStridePastTheEnd();
  CodeWarpPastTheLastRow();
  CodeChannelOfAPlane();
  CodeTransposedIntoASquare();
  Close();
}
