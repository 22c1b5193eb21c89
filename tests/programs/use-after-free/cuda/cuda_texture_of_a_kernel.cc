// Defect: A kernel gets a texture object that is destroyed.
// Fix: The texture object is destroyed behind the last kernel that reads through it.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT texture object
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
  OK(cuTexObjectDestroy(texture));
#endif
  // @LAUNCH
  cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuTexObjectDestroy(texture));
  Close(array, out);
#endif
}
