// Defect: Kernels of two streams write parts of a buffer that have elements in common.
// Fix: The parts lie side by side.
#include "common/cuda_machine_code.h"

// Defect: Grid-stride loops of two streams write parts of a buffer that have 64 elements in common.
// Fix: The parts lie side by side.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=WAW
static void CodeStridesOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
#ifdef DEFECT
  CUdeviceptr rest = out + 3840;
#else
  CUdeviceptr rest = out + 4096;
#endif
  int count = 1024;
  void *low[] = {&in, &out, &count}, *high[] = {&in, &rest, &count};
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, first, low, nullptr));
  // @HERE
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(out, in, second, first);
}

// Defect: The warps of two streams write parts of a buffer that have a row in common.
// Fix: The parts lie side by side.
// EXPECT error race cuLaunchKernel at HERE_2
// EXPECT-FACT hazard=WAW
static void CodeWarpsOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_WARP_ROWS);
  int pitch = 32;
  const size_t row = 32 * sizeof(float);
  CUdeviceptr out = NewMemory(16 * row);
#ifdef DEFECT
  CUdeviceptr rest = out + 7 * row;
#else
  CUdeviceptr rest = out + 8 * row;
#endif
  void *low[] = {&out, &pitch}, *high[] = {&rest, &pitch};
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  // @HERE_2
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(out, second, first);
}

int main() {
  Open();
  CodeStridesOfTwoStreams();
  CodeWarpsOfTwoStreams();
  Close();
}
