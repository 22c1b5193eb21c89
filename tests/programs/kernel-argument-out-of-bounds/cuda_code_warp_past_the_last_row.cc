// Defect: The row of the last warp is one element longer than what is left of the buffer.
// Fix: The buffer has whole rows.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_warp_rows
// EXPECT-FACT outside_bytes=4
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction kernel = CodeKernel(CODE_WARP_ROWS);
  int pitch = 64;
#ifdef DEFECT
  const size_t elements = 7 * 64 + 31;
#else
  const size_t elements = 7 * 64 + 32;
#endif
  CUdeviceptr out = NewMemory(elements * sizeof(float));
  void* arguments[] = {&out, &pitch};
  // @HERE
  OK(cuLaunchKernel(kernel, 2, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out);
}
