// An array is uploaded and downloaded.
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  OK(cuMemcpyHtoA(array, 0, data, sizeof(data)));
  OK(cuMemcpyAtoH(data, array, 0, sizeof(data)));
  OK(cuArrayDestroy(array));
  Close();
}
