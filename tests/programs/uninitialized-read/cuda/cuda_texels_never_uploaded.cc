// Defect: A kernel samples an array that nothing wrote.
// Fix: The array is uploaded in front of the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at LAUNCH
// EXPECT-FACT argument=0
#include "common/cuda_texels.h"

int main() {
  Open();
#ifdef DEFECT
  const CUDA_ARRAY3D_DESCRIPTOR shape = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUarray array;
  OK(cuArray3DCreate(&array, &shape));
#else
  CUarray array = NewTexels();
#endif
  CUtexObject texture = NewTexture(OfArray(array));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  // @LAUNCH
  OK(cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuTexObjectDestroy(texture));
  Close(array, out);
}
