// A kernel writes to its memory.
#include "common/cudart.h"

int main() {
  const void* fill = Kernel(KERNEL_FILL);
  char result[256];
  char* buffer = NewZeros(4096);
  char* out = buffer;
  int value = 3;
  void* arguments[] = {&out, &value};
  OK(cudaLaunchKernel(fill, dim3(1), dim3(32), arguments, 0, nullptr));
  cudaMemcpy(result, buffer, 256, cudaMemcpyDeviceToHost);
  cudaMemcpy(result, buffer, 256, cudaMemcpyDeviceToHost);
  cudaFree(buffer);
  Close();
}
