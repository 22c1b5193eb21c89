// The output of a kernel is allocated.
#include "common/cudart.h"

int main() {
  const void* add = Kernel(KERNEL_ADD);
  char *a = NewZeros(4096), *b = NewZeros(4096), *allocated = NewZeros(4096);
  char* out = allocated;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cudaLaunchKernel(add, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(allocated));
  OK(cudaFree(b));
  OK(cudaFree(a));
  Close();
}
