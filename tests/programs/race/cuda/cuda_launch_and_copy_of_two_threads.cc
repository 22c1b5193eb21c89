// Defect: One thread launches a kernel, and the next thread downloads the result in a stream of its
// own. The order of host threads does not order work on the device.
// Fix: The download is in the same stream.
// EXPECT error race cuMemcpyDtoHAsync_v2 at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
#include <thread>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
#ifdef DEFECT
  CUstream first = NewStream(), second = NewStream();
#else
  CUstream first = NewStream(), second = first;
#endif
  CUdeviceptr data = NewZeros(4096);
  void* host = NewPinned(4096);
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    void* arguments[] = {&data};
    // @FIRST
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  }).join();
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    // @SECOND
    OK(cuMemcpyDtoHAsync(host, data, 4096, second));
  }).join();
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(host));
  OK(cuMemFree(data));
#ifdef DEFECT
  OK(cuStreamDestroy(second));
#endif
  Close(first);
}
