// The second level of a mipmapped array is filled with an image of its size.
#include "common/cuda.h"

int main() {
  Open();
  static unsigned char data[64 * 64];
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUmipmappedArray pyramid;
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
  upload.Height = 32;
  cuMemcpy2D(&upload);
  OK(cuMipmappedArrayDestroy(pyramid));
  Close();
}
