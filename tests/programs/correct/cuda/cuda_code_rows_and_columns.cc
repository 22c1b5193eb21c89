// Kernels of two streams write rows and columns of one matrix. No element is written by both.
#include "common/cuda_machine_code.h"

// Kernels on two streams write the left and the right columns of one matrix.
static void CodeColumnsSideBySide() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_ROWS);
  CUdeviceptr matrix = NewZeros(64 * 64 * 4), right = matrix + 32 * 4;
  int width = 32, height = 64, pitch = 64;
  void* left_part[] = {&matrix, &width, &height, &pitch};
  void* right_part[] = {&right, &width, &height, &pitch};
  OK(cuLaunchKernel(rows, 2, 8, 1, 16, 8, 1, 0, first, left_part, nullptr));
  OK(cuLaunchKernel(rows, 2, 8, 1, 16, 8, 1, 0, second, right_part, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, matrix + 64 * 64 * 4 - 4, 4));
  CHECK(last == 1);
  Release(matrix, second, first);
}

// Kernels of two streams write the columns of one matrix in turns, and one of them has no elements
// left.
static void CodeLayoutsOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction lay_out = CodeKernel(CODE_LAYOUT), fill = CodeKernel(CODE_FILL);
  CUdeviceptr matrix = NewZeros(4096), odd = matrix + 4, filled = NewZeros(4096);
  int count = 512, none = 0, value = 1;
  // 32 rows, of which each second element is written, columns first.
  Layout layout = {2, {{32, 0, 5}, {16, 0, 4}}, {128, 8}};
  void *low[] = {&count, &layout, &matrix}, *high[] = {&count, &layout, &odd};
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  void *empty[] = {&none, &layout, &filled}, *all[] = {&filled, &value};
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, first, empty, nullptr));
  OK(cuLaunchKernel(fill, 8, 1, 1, 128, 1, 1, 0, second, all, nullptr));
  OK(cuCtxSynchronize());
  Release(filled, matrix, second, first);
}

// Each block fills a row in a loop; two streams fill disjoint rows of one buffer.
static void CodeRowsOfBlocks() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_BLOCK_ROWS);
  int width = 500;
  CUdeviceptr data = NewMemory(8 * 500 * 4), high = data + 4 * 500 * 4;
  void *low_rows[] = {&data, &width}, *high_rows[] = {&high, &width};
  OK(cuLaunchKernel(rows, 4, 1, 1, 64, 1, 1, 0, first, low_rows, nullptr));
  OK(cuLaunchKernel(rows, 4, 1, 1, 64, 1, 1, 0, second, high_rows, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, data + 8 * 500 * 4 - 4, 4));
  CHECK(last == 1);
  Release(data, second, first);
}

// Kernels of two streams write rows of one pitched allocation. One of them counts its rows down from a pointer into the
// allocation: its pitch is negative. The other one has fewer rows than its grid has threads.
static void CodeRowsOfNegativePitch() {
  CUfunction write = CodeKernel(CODE_PITCHED);
  CUdeviceptr rows;
  OK(cuMemAlloc(&rows, 32 * 512));
  CUstream up, down;
  OK(cuStreamCreate(&up, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&down, CU_STREAM_NON_BLOCKING));
  int width = 128, height = 16;
  long long pitch = 512, back = -512;
  CUdeviceptr lower = rows + 16 * 512, last = rows + 15 * 512;
  void* first[] = {&lower, &pitch, &width, &height};
  OK(cuLaunchKernel(write, 4, 6, 1, 32, 4, 1, 0, up, first, nullptr));
  void* second[] = {&last, &back, &width, &height};
  OK(cuLaunchKernel(write, 4, 4, 1, 32, 4, 1, 0, down, second, nullptr));
  OK(cuStreamSynchronize(up));
  OK(cuStreamSynchronize(down));
  Release(rows, up, down);
}

// Each warp fills 32 elements of a row; two streams fill the left and the right half of the same rows,
// and the last row ends with the buffer.
static void CodeRowsOfWarps() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_WARP_ROWS);
  int pitch = 64;
  const size_t bytes = 8 * 64 * sizeof(float);
  CUdeviceptr left = NewMemory(bytes), right = left + 32 * sizeof(float);
  void *of_left[] = {&left, &pitch}, *of_right[] = {&right, &pitch};
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, first, of_left, nullptr));
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, second, of_right, nullptr));
  OK(cuCtxSynchronize());
  float all[8 * 64];
  OK(cuMemcpyDtoH(all, left, bytes));
  for (float one : all) CHECK(one == 1);
  Release(left, second, first);
}

int main() {
  Open();
  CodeColumnsSideBySide();
  CodeLayoutsOfTwoStreams();
  CodeRowsOfBlocks();
  CodeRowsOfNegativePitch();
  CodeRowsOfWarps();
  Close();
}
