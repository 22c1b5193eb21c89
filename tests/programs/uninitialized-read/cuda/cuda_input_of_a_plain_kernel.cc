// Defect: A kernel whose name says nothing of its parameters reads a buffer that nothing has
// written.
// Fix: The buffer is filled first.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction copy = CodeKernel(CODE_PLAIN_COPY);
  CUdeviceptr in, out = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&in, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(in, 0, 4096));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in);
}
