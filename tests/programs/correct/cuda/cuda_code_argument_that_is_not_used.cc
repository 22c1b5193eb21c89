// A memset on another stream writes a buffer that a kernel gets and does not use.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction unused = CodeKernel(CODE_UNUSED);
  CUdeviceptr in = NewZeros(4096), other = NewZeros(4096), out = NewZeros(4096);
  void* arguments[] = {&in, &other, &out};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemsetD8Async(other, 1, 4096, second));
  OK(cuCtxSynchronize());
  Close(out, other, in, second, first);
}
