// An array of a possible shape is made and used.
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
  const size_t width = (size_t)1 << 10;
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  cuArrayCreate(&array, &shape);
  cuMemcpyHtoA(array, 0, data, sizeof(data));
  if (array) OK(cuArrayDestroy(array));
  Close();
}
