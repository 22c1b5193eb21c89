// Defect: Kernels on two streams change halves of a buffer that overlap by one element.
// Fix: The second kernel begins behind the first one's half.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT byte_range=1020 to 2043
// EXPECT-FACT earlier_byte_range=0 to 1023
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(2048);
#ifdef DEFECT
  const int half = 255;
#else
  const int half = 256;
#endif
  int begins[] = {0, half};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  // @FIRST
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Close(data, second, first);
}
