// Defect: A texture object is destroyed twice.
// Fix: A texture object is destroyed once.
// EXPECT error over-release cuTexObjectDestroy at HERE
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr memory = NewZeros(4096);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  OK(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
  // @FIRST
  OK(cuTexObjectDestroy(texture));
#ifdef DEFECT
  // @HERE
  cuTexObjectDestroy(texture);
#endif
  Close(memory);
}
