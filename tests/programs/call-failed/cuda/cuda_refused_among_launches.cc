// Defect: The driver refuses one of several launches. Another stream may write what that launch
// would have written.
// Fix: No launch is refused. The other stream writes after a wait for the launch.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr mine = NewZeros(4096), shared = NewZeros(4096);
  void* own[] = {&mine};
  void* both[] = {&shared};
  for (int i = 0; i < 3; ++i) OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(twice, 4, 1, 1, 1 << 20, 1, 1, 0, first, both, nullptr));
#else
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, both, nullptr));
  OK(cuStreamSynchronize(first));
#endif
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, second, both, nullptr));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
  OK(cuCtxSynchronize());
  Close(shared, mine, second, first);
}
