// Defect: A kernel reads through a texture object whose linear memory is freed.
// Fix: The memory is freed behind the last kernel that reads it.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT which the program has freed
// MAY sticky-error leak
#include "common/cuda_texels.h"

int main() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  CUdeviceptr out = NewMemory(64 * sizeof(float)), memory;
  size_t pitch;
  OK(cuMemAllocPitch(&memory, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(memory, 0, pitch * 8));
  CUtexObject texture = NewTexture(OfRows(memory, pitch));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT
  // @RELEASE
  OK(cuMemFree(memory));
#endif
  // @LAUNCH
  cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuMemFree(memory));
  OK(cuTexObjectDestroy(texture));
  Close(out);
#endif
}
