// Defect: The default stream reads what kernels of another stream write, without a wait.
// Fix: The default stream waits for the other one.
#include "common/cuda_machine_code.h"

// Defect: The default stream reads what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
static void CodeEachOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4},
        c = {NewZeros(4000), 4000, 1000, 4};
  void *first[] = {&a, &b, &count}, *second[] = {&b, &c, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(c.data, b.data, a.data, side);
}

// Defect: The default stream reads a matrix that a kernel on another stream transposes, without a
// wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_2
// EXPECT-FACT hazard=RAW
static void CodeLayoutOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction lay_out = CodeKernel(CODE_LAYOUT), copy = CodeKernel(CODE_COPY);
  CUdeviceptr matrix = NewZeros(4096), out = NewZeros(4096);
  int count = 1024;
  // 32 rows of 32 elements, columns first.
  Layout layout = {2, {{32, 0, 5}, {32, 0, 5}}, {128, 4}};
  void *first[] = {&count, &layout, &matrix}, *second[] = {&matrix, &out};
  OK(cuLaunchKernel(lay_out, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_2
  OK(cuLaunchKernel(copy, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(out, matrix, side);
}

// Defect: The default stream sums what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_3
// EXPECT-FACT hazard=RAW
static void CodeReductionOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), reduce = CodeKernel(CODE_REDUCE);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4};
  CUdeviceptr sum = NewZeros(4);
  int lanes = 1;
  void *first[] = {&a, &b, &count}, *second[] = {&b.data, &sum, &count, &lanes};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_3
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(sum, b.data, a.data, side);
}

int main() {
  Open();
  CodeEachOnTwoStreams();
  CodeLayoutOnTwoStreams();
  CodeReductionOnTwoStreams();
  Close();
}
