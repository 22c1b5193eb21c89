// Commands of no bytes and elements; frees of nothing; launches with nothing to do.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUfunction add = Kernel(KERNEL_ADD), nothing = Kernel(KERNEL_NOTHING);
  CUdeviceptr buffer = NewMemory(4096);
  char *pinned = NewPinned(4096), *block = (char*)malloc(64);
  OK(cuMemcpyHtoD(buffer, block, 0));
  OK(cuMemcpyDtoH(block + 64, buffer, 0));
  OK(cuMemcpyHtoDAsync(buffer, pinned, 0, stream));
  OK(cuMemcpyDtoHAsync(pinned, buffer, 0, stream));
  OK(cuMemcpyDtoDAsync(buffer, buffer, 0, stream));
  OK(cuMemsetD8Async(buffer, 0, 0, stream));
  OK(cuMemsetD32Async(buffer, 0, 0, stream));
  OK(cuMemFree(0));
  OK(cuMemFreeHost(nullptr));
  OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  // Elements that a launch does not have need no memory.
  CUdeviceptr none = 0;
  int n = 0;
  void* arguments[] = {&none, &none, &none, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  free(block);
  Close(pinned, buffer, stream);
}
