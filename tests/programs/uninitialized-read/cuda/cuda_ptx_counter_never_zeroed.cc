// Defect: A kernel of which only PTX is known counts in memory that nothing has set.
// Fix: The counter is set to 0 before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-TEXT updates argument 0, device allocation .*atomically from byte 0 on
#include "common/cuda.h"

int main() {
  Open();
  CUfunction count = Kernel(KERNEL_COUNT);
  CUdeviceptr counter = NewMemory(sizeof(unsigned));
#ifndef DEFECT
  OK(cuMemsetD32Async(counter, 0, 1, nullptr));
#endif
  void* arguments[] = {&counter};
  // @HERE
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(counter);
}
