// Defect: An unrolled element-wise kernel reads one element more than its input has.
// Fix: The count is that of the input.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT kernel=code_each
// EXPECT-FACT outside_bytes=4
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction each = CodeKernel(CODE_EACH);
  Array in = {NewZeros(4096), 4096, 1024, 4}, out = {NewZeros(8192), 8192, 2048, 4};
#ifdef DEFECT
  long long count = 1025;
#else
  long long count = 1024;
#endif
  void* arguments[] = {&in, &out, &count};
  // @HERE
  OK(cuLaunchKernel(each, 9, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out.data, in.data);
}
