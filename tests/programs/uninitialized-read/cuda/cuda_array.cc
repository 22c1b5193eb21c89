// Defect: An array is downloaded that nothing has written.
// Fix: An array is uploaded and downloaded.
// EXPECT warning uninitialized-read cuMemcpyAtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuMemcpyHtoA(array, 0, data, sizeof(data)));
#endif
  // @HERE
  OK(cuMemcpyAtoH(data, array, 0, sizeof(data)));
  Close(array);
}
