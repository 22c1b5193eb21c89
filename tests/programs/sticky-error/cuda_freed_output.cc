// Defect: A kernel writes to freed memory. The launch is reported at once, and the finding for the
// device fault that follows names it.
// Fix: The memory is freed after the kernel.
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
