// Defect destroyed: A kernel gets a texture object that is destroyed.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT texture object
// MAY sticky-error leak
// Defect over_freed_memory: A kernel reads through a texture object whose linear memory is freed.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH_2
// EXPECT-PARTY release at RELEASE_2
// EXPECT-TEXT which the program has freed
// MAY sticky-error leak
// Fix: The texture and its memory are destroyed behind the kernel.
#include "common/cuda_texels.h"

// Fix: The texture object is destroyed behind the last kernel that reads through it.
static void Destroyed() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  CUarray array = NewTexels();
  CUtexObject texture = NewTexture(OfArray(array));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT_destroyed
  // @RELEASE
  OK(cuTexObjectDestroy(texture));
#endif
  // @LAUNCH
  cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_destroyed
  OK(cuTexObjectDestroy(texture));
  Close(array, out);
#endif
}

// Fix: The memory is freed behind the last kernel that reads it.
static void OverFreedMemory() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  CUdeviceptr out = NewMemory(64 * sizeof(float)), memory;
  size_t pitch;
  OK(cuMemAllocPitch(&memory, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(memory, 0, pitch * 8));
  CUtexObject texture = NewTexture(OfRows(memory, pitch));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT_over_freed_memory
  // @RELEASE_2
  OK(cuMemFree(memory));
#endif
  // @LAUNCH_2
  cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_over_freed_memory
  OK(cuMemFree(memory));
  OK(cuTexObjectDestroy(texture));
  Close(out);
#endif
}

int main() {
  Destroyed();
  OverFreedMemory();
}
