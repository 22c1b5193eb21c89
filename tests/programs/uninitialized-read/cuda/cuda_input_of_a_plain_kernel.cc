// Defect: Kernels read buffers that nothing has written: by a parameter, and by a pointer in a
// structure. The names of the kernels say nothing of their parameters.
// Fix: The buffers are filled first.
#include "common/cuda_machine_code.h"

// Defect: A kernel whose name says nothing of its parameters reads a buffer that nothing has
// written.
// Fix: The buffer is filled first.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
static void InputOfAPlainKernel() {
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
  Release(out, in);
}

// Defect: A kernel reads, by a pointer in a structure, a buffer that nothing has written.
// Fix: The buffer is filled first.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void InputInAStructure() {
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } pair = {1024, 0, 2, NewMemory(4096)};
  // @CREATED_2
  OK(cuMemAlloc(&pair.in, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(pair.in, 0, 4096));
#endif
  void* arguments[] = {&pair};
  // @HERE_2
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(pair.out, pair.in);
}

int main() {
  Open();
  InputOfAPlainKernel();
  InputInAStructure();
  Close();
}
