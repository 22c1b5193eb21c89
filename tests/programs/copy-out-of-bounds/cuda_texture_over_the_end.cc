// Defect: A texture object is created over more bytes than the allocation has.
// Fix: A texture object is created over the bytes of the allocation.
// EXPECT warning copy-out-of-bounds cuTexObjectCreate at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr memory;
  // @CREATED
  OK(cuMemAlloc(&memory, 4096));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
#ifdef DEFECT
  resource.res.linear.sizeInBytes = 4096 * sizeof(float);
#else
  resource.res.linear.sizeInBytes = 4096;
#endif
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  // @HERE
  const CUresult code = cuTexObjectCreate(&texture, &resource, &sampler, nullptr);
  if (code == CUDA_SUCCESS) OK(cuTexObjectDestroy(texture));
  Close(memory);
}
