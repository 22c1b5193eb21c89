// An array of one texel is asked for.
#include "common/cuda.h"

int main() {
  Open();
  const size_t width = 1;
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  if (cuArrayCreate(&array, &shape) == CUDA_SUCCESS) OK(cuArrayDestroy(array));
  Close();
}
