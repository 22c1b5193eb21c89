// Defect: The output pointer of a kernel was declared and holds something else. (No thread of the
// launch uses it.)
// Fix: The output of a kernel is allocated.
// EXPECT error invalid-pointer cudaLaunchKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-FACT kernel~add
#include "common/cudart.h"

int main() {
  const void* add = Kernel(KERNEL_ADD);
  char *a = NewZeros(4096), *b = NewZeros(4096), *allocated = NewZeros(4096);
#ifdef DEFECT
  char* out = (char*)0x7654321000;
#else
  char* out = allocated;
#endif
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cudaLaunchKernel(add, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(allocated));
  OK(cudaFree(b));
  OK(cudaFree(a));
  Close();
}
