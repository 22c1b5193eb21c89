// Defect: More blocks than the device holds at once are launched cooperatively.
// Fix: As many blocks as the device surely holds at once are launched cooperatively.
// EXPECT warning call-failed cuLaunchCooperativeKernel CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE at HERE
// EXPECT-TEXT all 1048576 blocks
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned blocks = 1 << 20;
#else
  const unsigned blocks = 1;
#endif
  // @HERE
  cuLaunchCooperativeKernel(nothing, blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
