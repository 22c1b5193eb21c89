// A kernel gets one buffer as input and output, beside a copy of another part of the allocation.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(8192);
  char* result = NewPinned(4096);
  void* arguments[] = {&data, &data};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, data + 4096, 4096, second));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(result, data, second, first);
}
