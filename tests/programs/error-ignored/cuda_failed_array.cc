// Defect: An array has an absurd shape and cannot be created. The program ignores the error and
// uses the array.
// Fix: The array has a valid shape.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at FAILED
// EXPECT error error-ignored cuMemcpyHtoA_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
#ifdef DEFECT
  const size_t width = (size_t)1 << 30;
#else
  const size_t width = (size_t)1 << 10;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  // @FAILED
  cuArrayCreate(&array, &shape);
  // @HERE
  cuMemcpyHtoA(array, 0, data, sizeof(data));
  if (array) OK(cuArrayDestroy(array));
  Close();
}
