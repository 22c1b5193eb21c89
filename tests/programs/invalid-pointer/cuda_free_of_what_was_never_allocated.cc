// Defect: A variable that no allocation has set is freed, by each call that frees memory of the
// device.
// Fix: Each variable is freed that an allocation has set.
// EXPECT error invalid-pointer cuMemFree_v2 at HERE
// EXPECT error invalid-pointer cuMemFreeAsync at ORDERED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
#ifdef DEFECT
  CUdeviceptr buffer = 0x1234500;
  // @HERE
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(buffer));
  // @ORDERED
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(buffer, stream));
#else
  CUdeviceptr buffer = NewMemory(4096), ordered;
  OK(cuMemAllocAsync(&ordered, 4096, stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeAsync(ordered, stream));
#endif
  Close(stream);
}
