// A variable that no allocation has set is freed, by each call that frees memory of the device.
// EXPECT error invalid-pointer cuMemFree_v2 at HERE
// EXPECT error invalid-pointer cuMemFreeAsync at ORDERED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = 0x1234500;
  // @HERE
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(buffer));
  // @ORDERED
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(buffer, stream));
  OK(cuStreamDestroy(stream));
  Close();
}
