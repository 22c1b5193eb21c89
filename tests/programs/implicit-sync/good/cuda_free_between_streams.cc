// Memory is given back in stream order.
// OPTION --enable=implicit-sync
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), other;
  OK(cuMemAllocAsync(&other, 4096, second));
  OK(cuMemsetD8Async(other, 0, 4096, second));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuMemFreeAsync(other, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
