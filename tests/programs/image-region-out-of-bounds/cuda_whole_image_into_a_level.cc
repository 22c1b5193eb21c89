// Defect: The second level of a mipmapped array is filled with an image as high as the first.
// Fix: The image has the size of the second level.
// EXPECT error image-region-out-of-bounds cuMemcpy2D_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static unsigned char data[64 * 64];
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUmipmappedArray pyramid;
  // @CREATED
  OK(cuMipmappedArrayCreate(&pyramid, &shape, 3));
  CUarray level;
  OK(cuMipmappedArrayGetLevel(&level, pyramid, 1));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = level;
  upload.WidthInBytes = 32;
#ifdef DEFECT
  upload.Height = 64;
#else
  upload.Height = 32;
#endif
  // @HERE
  cuMemcpy2D(&upload);
  OK(cuMipmappedArrayDestroy(pyramid));
  Close();
}
