// Defect: An allocation fails. The program ignores the error and uses the pointer.
// Fix: The allocation succeeds.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at FAILED
// EXPECT error error-ignored cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CUDA_ERROR_OUT_OF_MEMORY
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 12;
#endif
  CUdeviceptr buffer = 0;
  // @FAILED
  cuMemAlloc(&buffer, bytes);
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
  Close();
}
