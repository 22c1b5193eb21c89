// Defect: Kernels on two streams, which write as many elements as an argument of 64 bits says,
// overlap by one element.
// Fix: The second kernel begins behind the elements of the first.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=3996 to 7995
// EXPECT-FACT earlier_byte_range=0 to 3999
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction set = CodeKernel(CODE_SET_LONG);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(8000);
#ifdef DEFECT
  CUdeviceptr behind = data + 3996;
#else
  CUdeviceptr behind = data + 4000;
#endif
  int value = 5;
  long long count = 1000;
  void *low[] = {&data, &value, &count}, *high[] = {&behind, &value, &count};
  // @FIRST
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Close(data, second, first);
}
