// Defect as_input: A kernel reads through a const pointer, which is the address of an array on the
// stack.
// EXPECT error invalid-pointer cuLaunchKernel at LAUNCH
// EXPECT-FACT argument=1
// EXPECT-TEXT ordinary host memory
// Defect in_a_structure: A member of a structure that a kernel reads through is the address of an
// array on the stack.
// EXPECT error invalid-pointer cuLaunchKernel at MEMBER
// EXPECT-FACT argument=0
// EXPECT-TEXT ordinary host memory
// Fix: The kernels get the addresses of copies on the device.
// EXIT any
// MAY sticky-error leak
#include "common/cuda_machine_code.h"

int main() {
  Open();
  float local[256] = {};
  CUdeviceptr copy = NewZeros(sizeof(local)), other = NewZeros(sizeof(local));
  CUdeviceptr out = NewMemory(sizeof(local));
  CUdeviceptr a = copy, in = copy;
#ifdef DEFECT_as_input
  a = (CUdeviceptr)local;
#endif
#ifdef DEFECT_in_a_structure
  in = (CUdeviceptr)local;
#endif
  CUfunction add = CodeKernel(CODE_ADD), pair = CodeKernel(CODE_PAIR);
  int count = 256;
  void* inputs[] = {&other, &a, &out, &count};
  // @LAUNCH
  OK(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, nullptr, inputs, nullptr));
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } members = {0, in, 2, out};
  void* structure[] = {&members};
  // @MEMBER
  cuLaunchKernel(pair, 1, 1, 1, 256, 1, 1, 0, nullptr, structure, nullptr);
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(local, out, sizeof(local)));
  Close(out, other, copy);
}
