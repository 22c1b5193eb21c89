// Defect: Addresses and widths are not multiples of the size of an element.
// Fix: The address or the width is a multiple of the size.
#include "common/cuda.h"

// Defect: A fill with words of four bytes begins at an address that is not a multiple of four.
// Fix: A fill with words of four bytes begins at a multiple of four.
// EXPECT error misaligned cuMemsetD32_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void MemsetD32() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  const size_t offset = 2;
#else
  const size_t offset = 4;
#endif
  // @HERE
  cuMemsetD32(buffer + offset, 0, 1000);
  Release(buffer);
}

// Defect: A texture begins at an address that the alignment of textures does not allow.
// Fix: A texture begins where the alignment of textures allows it.
// EXPECT error misaligned cuTexObjectCreate at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void TextureAddress() {
  CUdeviceptr buffer;
  // @CREATED_2
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
  // @HERE_2
  if (cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS)
    OK(cuTexObjectDestroy(texture));
  Release(buffer);
}

// Defect: A copy into an array of floats is six bytes wide, which is not a whole number of texels.
// Fix: A copy into an array of floats is two texels wide.
// EXPECT error misaligned cuMemcpy2D_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void WidthNotOfWholeTexels() {
  static float data[64 * 64];
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED_3
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
#ifdef DEFECT
  upload.WidthInBytes = 6;
#else
  upload.WidthInBytes = 8;
#endif
  upload.Height = 64;
  // @HERE_3
  cuMemcpy2D(&upload);
  Release(array);
}

int main() {
  Open();
  MemsetD32();
  TextureAddress();
  WidthNotOfWholeTexels();
  Close();
}
