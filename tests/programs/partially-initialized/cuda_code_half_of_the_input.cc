// Defect: Half of an input is uploaded, and the code of the kernel reads all of it.
// Fix: The whole input is uploaded.
// EXPECT warning partially-initialized cuLaunchKernel at HERE
// EXPECT-FACT written_bytes=2048
// EXPECT-FACT gap_begin=2048
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction add = CodeKernel(CODE_ADD);
  static float data[1024];
  CUdeviceptr a = NewMemory(4096), b = NewZeros(4096), out = NewMemory(4096);
#ifdef DEFECT
  OK(cuMemcpyHtoD(a, data, 2048));
#else
  OK(cuMemcpyHtoD(a, data, 4096));
#endif
  int n = 1024;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, b, a);
}
