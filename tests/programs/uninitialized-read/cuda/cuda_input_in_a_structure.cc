// Defect: A kernel reads, by a pointer in a structure, a buffer that nothing has written.
// Fix: The buffer is filled first.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } pair = {1024, 0, 2, NewMemory(4096)};
  // @CREATED
  OK(cuMemAlloc(&pair.in, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(pair.in, 0, 4096));
#endif
  void* arguments[] = {&pair};
  // @HERE
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(pair.out, pair.in);
}
