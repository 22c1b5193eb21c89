// One thread launches a kernel, the next one reads back what it writes, in the same stream.
#include <thread>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = first;
  CUdeviceptr data = NewZeros(4096);
  void* host = NewPinned(4096);
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    void* arguments[] = {&data};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  }).join();
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    OK(cuMemcpyDtoHAsync(host, data, 4096, second));
  }).join();
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(host));
  OK(cuMemFree(data));
  OK(cuStreamDestroy(first));
  Close();
}
