// Defect: Kernels in two streams write images of one buffer whose rows they find by a division, and the
// second image begins where the first one does.
// Fix: The images lie side by side.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=WAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction image = CodeKernel(CODE_IMAGE);
  int width = 24, pitch = 32, count = 24 * 8;
  const size_t row = 32 * sizeof(float);
  CUdeviceptr out = NewMemory(16 * row);
#ifdef DEFECT
  CUdeviceptr rest = out;
#else
  CUdeviceptr rest = out + 8 * row;
#endif
  void *low[] = {&out, &width, &pitch, &count}, *high[] = {&rest, &width, &pitch, &count};
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  // @HERE
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Close(out, second, first);
}
