// Kernels with loops over more elements than threads work on the halves of two buffers at the same
// time.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
  CUdeviceptr in_high = in + 4096, out_high = out + 4096;
  int count = 1024;
  void *low[] = {&in, &out, &count}, *high[] = {&in_high, &out_high, &count};
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, out + 8188, 4));
  CHECK(last == 1);
  Close(out, in, second, first);
}
