// Defect: A structure that is passed by value has a pointer to freed memory, through which the
// kernel writes.
// Fix: The memory is freed behind the launch.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=0
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction pair = CodeKernel(CODE_PAIR);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } arguments = {256, NewZeros(1024), 2, 0};
  // @CREATED
  OK(cuMemAlloc(&arguments.out, 8 << 20));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(arguments.out));
#endif
  void* parameters[] = {&arguments};
  // @HERE
  cuLaunchKernel(pair, 1, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuMemFree(arguments.out));
#endif
  cuMemFree(arguments.in);
  cuModuleUnload(module_of_kernels);
  cuDevicePrimaryCtxRelease(device);
}
