// Defect: A sum has one partial sum less than it has blocks. Its blocks count themselves by an atomic operation.
// Fix: There is one partial sum for each block.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=code_total
// EXPECT-FACT outside_bytes=4
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction sum = CodeKernel(CODE_TOTAL);
#ifdef DEFECT
  size_t bytes = 12;
#else
  size_t bytes = 16;
#endif
  Total total = {NewZeros(4000), NewZeros(4), 0, NewZeros(4), 1000};
  // @CREATED
  OK(cuMemAlloc(&total.partial, bytes));
  void* arguments[] = {&total};
  // @HERE
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(total.arrived, total.partial, total.sum, total.in);
}
