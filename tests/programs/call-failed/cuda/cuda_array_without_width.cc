// Defect: The program creates an array of width 0.
// Fix: The array has one texel.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-TEXT correct Width
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const size_t width = 0;
#else
  const size_t width = 1;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @HERE
  if (cuArrayCreate(&array, &shape) == CUDA_SUCCESS) OK(cuArrayDestroy(array));
  Close();
}
