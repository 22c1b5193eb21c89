// A kernel waits for a flag that a copy on another stream sets behind the data. When the host has
// waited for the kernel, the copies are complete, and their memory may be used.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction consume = CodeKernel(CODE_CONSUME);
  char* data = NewPinned(128);
  int* one = (int*)NewPinned(4);
  memset(data, 1, 128);
  *one = 1;
  for (const bool kernel_first : {false, true}) {
    CUdeviceptr input = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
    void* consumed[] = {&input, &flag, &out};
    if (kernel_first) OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
    OK(cuMemcpyHtoDAsync(input, data, 128, first));
    OK(cuMemcpyHtoDAsync(flag, one, 4, first));
    if (!kernel_first) OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
    OK(cuStreamSynchronize(second));
    OK(cuMemsetD8Async(input, 0, 128, second));
    OK(cuCtxSynchronize());
    OK(cuMemFree(out));
    OK(cuMemFree(flag));
    OK(cuMemFree(input));
  }
  Close(one, data, second, first);
}
