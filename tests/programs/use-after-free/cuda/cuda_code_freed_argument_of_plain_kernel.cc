// Defect: A kernel whose name says nothing of its parameters gets a pointer to freed memory.
// Fix: The memory is freed behind the launch.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=1
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction copy = CodeKernel(CODE_PLAIN_COPY);
  CUdeviceptr in = NewZeros(1024), out;
  // @CREATED
  OK(cuMemAlloc(&out, 8 << 20));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(out));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  cuLaunchKernel(copy, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  cuMemFree(in);
  cuModuleUnload(module_of_kernels);
  cuDevicePrimaryCtxRelease(device);
}
