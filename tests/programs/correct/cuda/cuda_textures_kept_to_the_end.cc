// A program creates texture objects of many arrays in a loop, of different parts of one allocation,
// and with different looks, and keeps them to its end.
#include "common/cuda_texels.h"

int main() {
  Open();
  static CUarray arrays[48];
  CUdeviceptr memory = NewZeros(48 * 4096);
  CUtexObject texture;
  CUDA_TEXTURE_DESC look = {};
  for (int i = 0; i < 48; ++i) {
    arrays[i] = NewTexels();
    const CUDA_RESOURCE_DESC resource = OfArray(arrays[i]);
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (int i = 0; i < 48; ++i) {
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory + 4096 * i;
    resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 4096;
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (int i = 0; i < 48; ++i) {
    const CUDA_RESOURCE_DESC resource = OfArray(arrays[0]);
    look.borderColor[0] = i / 48.0f;
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (CUarray array : arrays) OK(cuArrayDestroy(array));
  Close(memory);
}
