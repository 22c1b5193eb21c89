// A kernel waits until a sum on another stream has counted its block. So what comes behind the kernel may overwrite
// what the sum has read.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL), consume = CodeKernel(CODE_CONSUME);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  CUdeviceptr data = NewZeros(128), out = NewZeros(128);
  void *summed[] = {&total}, *consumed[] = {&data, &total.arrived, &out};
  OK(cuLaunchKernel(sum, 1, 1, 1, 256, 1, 1, 0, first, summed, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuMemsetD32Async(total.in, 1, 1000, second));
  OK(cuCtxSynchronize());
  Close(out, data, total.arrived, total.partial, total.sum, total.in, second, first);
}
