// Defect: A loop that the compiler unrolls gets twice the count of elements. The process has no stream of its own.
// Fix: The count is that of the buffers.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_add_long
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=1
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction add = CodeKernel(CODE_ADD_LONG);
  CUdeviceptr y = NewZeros(8000), x = NewZeros(8000);
  double factor = 2;
#ifdef DEFECT
  long long count = 2000;
#else
  long long count = 1000;
#endif
  void* arguments[] = {&y, &x, &factor, &count};
  // @HERE
  OK(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(x, y);
}
