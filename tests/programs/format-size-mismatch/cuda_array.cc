// Defect: Arrays of floats are filled with data whose texels are smaller.
// Fix: The data has one float a texel.
#include "common/cuda.h"

// Defect: Bytes are uploaded to an array of floats: the host block has one byte a texel. (Another
// block after it makes the read harmless.)
// Fix: Floats are uploaded to an array of floats.
// EXPECT error format-size-mismatch cuMemcpy2D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=1
static void BytesForFloatArray() {
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
}

// Defect: Half-precision numbers are uploaded to a one-dimensional array of floats. (Another block
// after theirs makes the read harmless.)
// Fix: The elements of the array are half-precision numbers.
// EXPECT error format-size-mismatch cuMemcpyHtoA_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=2
static void ShortsForFloatLine() {
  // @BLOCK_2
  short* data = (short*)calloc(4096, sizeof(short));
  char* behind = (char*)calloc(1, 65536);
#ifdef DEFECT
  const CUarray_format format = CU_AD_FORMAT_FLOAT;
  const size_t texel = 4;
#else
  const CUarray_format format = CU_AD_FORMAT_HALF;
  const size_t texel = 2;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {4096, 0, format, 1};
  CUarray array;
  // @CREATED_2
  OK(cuArrayCreate(&array, &shape));
  // @HERE_2
  OK(cuMemcpyHtoA(array, 0, data, 4096 * texel));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
}

int main() {
  Open();
  BytesForFloatArray();
  ShortsForFloatLine();
  Close();
}
