// Defect: A kernel writes through a null pointer. The error appears at a copy, long after the
// launch.
// Fix: A kernel writes to its memory.
// EXPECT error sticky-error cudaMemcpy at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-TEXT fill
// EXPECT-COUNT any
// MAY invalid-pointer
// EXIT any
#include "common/cudart.h"

int main() {
  const void* fill = Kernel(KERNEL_FILL);
  char result[256];
  char* buffer = NewZeros(4096);
#ifdef DEFECT
  char* out = nullptr;
#else
  char* out = buffer;
#endif
  int value = 3;
  void* arguments[] = {&out, &value};
  // @LAUNCH
  OK(cudaLaunchKernel(fill, dim3(1), dim3(32), arguments, 0, nullptr));
  // @HERE
  cudaMemcpy(result, buffer, 256, cudaMemcpyDeviceToHost);
  cudaMemcpy(result, buffer, 256, cudaMemcpyDeviceToHost);
  cudaFree(buffer);
  Close();
}
