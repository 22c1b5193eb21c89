// Defect: A texture begins at an address that the alignment of textures does not allow.
// Fix: A texture begins where the alignment of textures allows it.
// EXPECT error misaligned cuTexObjectCreate at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 65536));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
#ifdef DEFECT
  resource.res.linear.devPtr = buffer + 4;
#else
  resource.res.linear.devPtr = buffer + 4096;
#endif
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  // @HERE
  if (cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS)
    OK(cuTexObjectDestroy(texture));
  Close(buffer);
}
