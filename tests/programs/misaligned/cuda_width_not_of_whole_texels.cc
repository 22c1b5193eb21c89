// Defect: A copy into an array of floats is six bytes wide, which is not a whole number of texels.
// Fix: A copy into an array of floats is two texels wide.
// EXPECT error misaligned cuMemcpy2D_v2 at HERE
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
  upload.WidthInBytes = 6;
#else
  upload.WidthInBytes = 8;
#endif
  upload.Height = 64;
  // @HERE
  cuMemcpy2D(&upload);
  Close(array);
}
