// Defect: A kernel reads past the end of one of its inputs. Its output, which it writes, is then read: only the first is an
//   error.
// Fix: The input is as large as the output.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT outside_bytes=256
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction add = CodeKernel(CODE_ADD);
#ifdef DEFECT
  const size_t bytes = 4096 - 256;
#else
  const size_t bytes = 4096;
#endif
  CUdeviceptr a = NewZeros(bytes), b = NewZeros(4096), sum = NewMemory(4096);
  int count = 1024;
  void* arguments[] = {&a, &b, &sum, &count};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static float result[1024];
  OK(cuMemcpyDtoH(result, sum, sizeof(result)));
  CHECK(result[0] == 0);
  Close(sum, b, a);
}
