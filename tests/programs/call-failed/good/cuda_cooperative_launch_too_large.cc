// As many blocks as the device surely holds at once are launched cooperatively.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  const unsigned blocks = 1;
  cuLaunchCooperativeKernel(nothing, blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
