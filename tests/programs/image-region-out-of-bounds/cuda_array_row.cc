// Defect: An upload to a one-dimensional array reaches past its width.
// Fix: An upload to a one-dimensional array ends at its width.
// EXPECT error image-region-out-of-bounds cuMemcpyHtoA_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
#ifdef DEFECT
  const size_t offset = 16;
#else
  const size_t offset = 0;
#endif
  // @HERE
  cuMemcpyHtoA(array, offset, data, sizeof(data));
  Close(array);
}
