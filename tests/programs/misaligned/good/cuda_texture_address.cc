// A texture begins where the alignment of textures allows it.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 65536));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = buffer + 4096;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  if (cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS)
    OK(cuTexObjectDestroy(texture));
  OK(cuMemFree(buffer));
  Close();
}
