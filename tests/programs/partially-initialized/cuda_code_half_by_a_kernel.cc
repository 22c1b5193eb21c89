// Defect: A kernel writes half of a buffer. Other kernels read all of it, or the other half.
// Fix: The kernel writes the whole buffer.
// EXPECT warning partially-initialized cuLaunchKernel at ALL
// EXPECT-FACT written_bytes=4096
// EXPECT-FACT gap_begin=4096
// EXPECT warning partially-initialized cuLaunchKernel at REST
// EXPECT-FACT written_bytes=4096
// EXPECT-FACT gap_begin=4096
// EXPECT-FACT gap_end=8192
// EXPECT warning partially-initialized cuLaunchKernel at PARTS
// EXPECT-FACT argument=1
// EXPECT-FACT gap_begin=4096
#include "common/cuda_machine_code.h"

static CUdeviceptr Half() {
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr out = NewMemory(8192);
  int value = 0;
#ifdef DEFECT
  unsigned blocks = 4;
#else
  unsigned blocks = 8;
#endif
  void* arguments[] = {&out, &value};
  OK(cuLaunchKernel(fill, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  return out;
}

int main() {
  Open();
  CUfunction add = CodeKernel(CODE_ADD);
  CUdeviceptr b = NewZeros(8192), sum = NewMemory(8192);
  CUdeviceptr a = Half();
  int n = 2048;
  void* all[] = {&a, &b, &sum, &n};
  // @ALL
  OK(cuLaunchKernel(add, 8, 1, 1, 256, 1, 1, 0, nullptr, all, nullptr));
  CUdeviceptr other = Half(), second = other + 4096;
  int rest = 1024;
  void* half[] = {&second, &b, &sum, &rest};
  // @REST
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, half, nullptr));
  // Both inputs are parts of one buffer.
  CUdeviceptr both = Half(), low = both, high = both + 4096;
  void* parts[] = {&low, &high, &sum, &rest};
  // @PARTS
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, parts, nullptr));
  OK(cuCtxSynchronize());
  Close(both, other, a, sum, b);
}
