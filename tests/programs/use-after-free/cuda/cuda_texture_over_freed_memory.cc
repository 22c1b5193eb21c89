// Defect: A texture object is created over memory that was freed.
// Fix: The memory is freed after the texture object is destroyed.
// EXPECT error use-after-free cuTexObjectCreate at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=devPtr
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr memory = NewZeros(1 << 20);
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(memory));
#endif
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 1 << 20;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  // @HERE
  const CUresult code = cuTexObjectCreate(&texture, &resource, &sampler, nullptr);
  if (code == CUDA_SUCCESS) OK(cuTexObjectDestroy(texture));
#ifndef DEFECT
  OK(code);
  OK(cuMemFree(memory));
#endif
  Close();
}
