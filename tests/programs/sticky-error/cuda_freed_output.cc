// Defect: A kernel writes to memory that has been freed: the launch is told of at once, and the
// fault of the device that follows names it.
// Fix: A kernel writes to memory that is freed behind it.
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT error sticky-error cuStreamSynchronize CUDA_ERROR_ILLEGAL_ADDRESS at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-TEXT fill
// EXPECT-FACT pending_commands=1
// EXPECT-COUNT 3
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  CUdeviceptr out;
  OK(cuMemAlloc(&out, 8 << 20));
#ifdef DEFECT
  OK(cuMemFree(out));
#endif
  int value = 3;
  void* arguments[] = {&out, &value};
  // @LAUNCH
  OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  // @HERE
  cuStreamSynchronize(stream);
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  cuStreamSynchronize(stream);
  CUevent event;
  cuEventCreate(&event, 0);
}
