// Defect: Half-precision numbers are uploaded to a one-dimensional array of floats. (Another block
// after theirs makes the read harmless.)
// Fix: The elements of the array are half-precision numbers.
// EXPECT error format-size-mismatch cuMemcpyHtoA_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=2
#include "common/cuda.h"

int main() {
  Open();
  // @BLOCK
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
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  // @HERE
  OK(cuMemcpyHtoA(array, 0, data, 4096 * texel));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
  Close();
}
