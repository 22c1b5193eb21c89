// Defect: A kernel reads through a texture object whose array is destroyed.
// Fix: The array is destroyed behind the last kernel that reads it.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT argument 0 of kernel
// EXPECT-TEXT array
// MAY sticky-error leak
#include "common/cuda_texels.h"

int main() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  CUarray array = NewTexels();
  CUtexObject texture = NewTexture(OfArray(array));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT
  // @RELEASE
  OK(cuArrayDestroy(array));
#endif
  // @LAUNCH
  OK(cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuArrayDestroy(array));
#endif
  OK(cuTexObjectDestroy(texture));
  Close(out);
}
