// Defect: A kernel writes more elements in each row than the pitched memory has. The pitch is an argument of 64 bits.
// Fix: The width is that of the memory.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=code_pitched
// EXPECT-FACT outside_bytes=288
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction write = CodeKernel(CODE_PITCHED);
  CUdeviceptr rows;
  size_t pitch;
  int width = 100, height = 20;
  // @CREATED
  OK(cuMemAllocPitch(&rows, &pitch, 400, 20, 4));
#ifdef DEFECT
  width = 200;
#endif
  void* arguments[] = {&rows, &pitch, &width, &height};
  // @HERE
  OK(cuLaunchKernel(write, 7, 6, 1, 32, 4, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(rows);
}
