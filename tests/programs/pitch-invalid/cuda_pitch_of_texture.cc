// Defect: The rows of a texture follow each other without the gap that the device needs.
// Fix: The rows of a texture are as far apart as the device needs.
// EXPECT error pitch-invalid cuTexObjectCreate at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT is not a multiple of
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 65536));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = buffer;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 65;
  resource.res.pitch2D.height = 32;
#ifdef DEFECT
  resource.res.pitch2D.pitchInBytes = 65 * sizeof(float);
#else
  resource.res.pitch2D.pitchInBytes = 512;
#endif
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  // @HERE
  if (cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS)
    OK(cuTexObjectDestroy(texture));
  Close(buffer);
}
