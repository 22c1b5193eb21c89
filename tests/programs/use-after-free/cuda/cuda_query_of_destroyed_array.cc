// Defect: The shape of an array is queried after the array was destroyed.
// Fix: The shape of an array is queried before the array is destroyed.
// EXPECT error use-after-free cuArrayGetDescriptor_v2 at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1}, found;
  OK(cuArrayCreate(&array, &shape));
#ifdef DEFECT
  // @RELEASED
  OK(cuArrayDestroy(array));
  // @HERE
  cuArrayGetDescriptor(&found, array);
#else
  OK(cuArrayGetDescriptor(&found, array));
  OK(cuArrayDestroy(array));
#endif
  Close();
}
