// Defect: A kernel reads through a texture object of one level of a mipmapped array that is destroyed.
// Fix: The mipmapped array is destroyed behind the last kernel that reads one of its levels.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// MAY sticky-error leak
#include "common/cuda_texels.h"

int main() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  const CUDA_ARRAY3D_DESCRIPTOR shape = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUmipmappedArray mipmap;
  OK(cuMipmappedArrayCreate(&mipmap, &shape, 2));
  CUarray level;
  OK(cuMipmappedArrayGetLevel(&level, mipmap, 1));
  CUtexObject texture = NewTexture(OfArray(level));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT
  // @RELEASE
  OK(cuMipmappedArrayDestroy(mipmap));
#endif
  // @LAUNCH
  OK(cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuMipmappedArrayDestroy(mipmap));
#endif
  OK(cuTexObjectDestroy(texture));
  Close(out);
}
