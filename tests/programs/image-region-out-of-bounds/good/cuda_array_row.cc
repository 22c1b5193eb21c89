// An upload to a one-dimensional array ends at its width.
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  const size_t offset = 0;
  cuMemcpyHtoA(array, offset, data, sizeof(data));
  OK(cuArrayDestroy(array));
  Close();
}
