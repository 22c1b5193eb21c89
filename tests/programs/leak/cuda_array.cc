// Defect: An array is never destroyed.
// Fix: An array is destroyed.
// EXPECT error leak cuArrayCreate_v2 at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuArrayDestroy(array));
#endif
  Close();
}
