// Defect: A grid-stride loop writes one element more than its buffer has.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=code_stride
// EXPECT-FACT outside_bytes=4
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(4096);
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  void* arguments[] = {&in, &out, &count};
  // @HERE
  OK(cuLaunchKernel(stride, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in);
}
