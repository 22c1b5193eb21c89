// An array is destroyed.
#include "common/cuda.h"

int main() {
  Open();
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  OK(cuArrayDestroy(array));
  Close();
}
