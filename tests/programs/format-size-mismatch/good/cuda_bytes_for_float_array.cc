// Floats are uploaded to an array of floats.
#include "common/cuda.h"

int main() {
  Open();
  typedef float Texel;
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * 4;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 64 * 4;
  upload.Height = 64;
  OK(cuMemcpy2D(&upload));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
  Close();
}
