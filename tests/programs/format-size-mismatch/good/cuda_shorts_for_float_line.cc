// Half-precision numbers are uploaded to an array of them.
#include "common/cuda.h"

int main() {
  Open();
  short* data = (short*)calloc(4096, sizeof(short));
  char* behind = (char*)calloc(1, 65536);
  const CUarray_format format = CU_AD_FORMAT_HALF;
  const size_t texel = 2;
  CUDA_ARRAY_DESCRIPTOR shape = {4096, 0, format, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  OK(cuMemcpyHtoA(array, 0, data, 4096 * texel));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
  Close();
}
