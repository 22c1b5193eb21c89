// Defect: A copy into an array begins one row too low, so that its last row falls out of the array.
// Fix: A copy into an array begins at its first row.
// EXPECT error image-region-out-of-bounds cuMemcpy2D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static float data[64 * 64];
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
#ifdef DEFECT
  upload.dstY = 1;
#else
  upload.dstY = 0;
#endif
  upload.WidthInBytes = 64 * sizeof(float);
  upload.Height = 64;
  // @HERE
  cuMemcpy2D(&upload);
  Close(array);
}
