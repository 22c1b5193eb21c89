// Defect: Bytes are uploaded to an array of floats: the host block has one byte a texel. (Another
// block after it makes the read harmless.)
// Fix: Floats are uploaded to an array of floats.
// EXPECT error format-size-mismatch cuMemcpy2D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=1
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  typedef unsigned char Texel;
#else
  typedef float Texel;
#endif
  // @BLOCK
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * 4;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 64 * 4;
  upload.Height = 64;
  // @HERE
  OK(cuMemcpy2D(&upload));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
  Close();
}
