// Defect: The description of a texture object is queried after the object was destroyed.
// Fix: The description of a texture object is queried before the object is destroyed.
// EXPECT error use-after-free cuTexObjectGetResourceDesc at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr memory = NewZeros(4096);
  CUDA_RESOURCE_DESC resource = {}, found = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  OK(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
#ifdef DEFECT
  // @RELEASED
  OK(cuTexObjectDestroy(texture));
  // @HERE
  cuTexObjectGetResourceDesc(&found, texture);
#else
  OK(cuTexObjectGetResourceDesc(&found, texture));
  OK(cuTexObjectDestroy(texture));
#endif
  Close(memory);
}
