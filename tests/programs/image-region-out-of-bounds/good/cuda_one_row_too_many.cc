// A copy into an array begins at its first row.
#include "common/cuda.h"

int main() {
  Open();
  static float data[64 * 64];
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.dstY = 0;
  upload.WidthInBytes = 64 * sizeof(float);
  upload.Height = 64;
  cuMemcpy2D(&upload);
  OK(cuArrayDestroy(array));
  Close();
}
