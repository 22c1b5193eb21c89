// Defect: A kernel of one device writes memory that a stream of another device copies away.
// Fix: The stream of the other device waits for the kernel.
// EXPECT error race cuMemcpyPeerAsync at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/cuda_two_devices.h"

int main() {
  const auto [second, other] = OpenTwo();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream here = NewStream();
  CUdeviceptr a = NewZeros(4096);
  CUevent written = NewEvent();
  OK(cuCtxSetCurrent(other));
  CUstream there = NewStream();
  CUdeviceptr b = NewMemory(4096);
  OK(cuCtxSetCurrent(context));
  void* arguments[] = {&a};
  // @LAUNCH
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, here, arguments, nullptr));
  OK(cuEventRecord(written, here));
  OK(cuCtxSetCurrent(other));
#ifndef DEFECT
  OK(cuStreamWaitEvent(there, written, 0));
#endif
  // @HERE
  OK(cuMemcpyPeerAsync(b, other, a, context, 4096, there));
  OK(cuStreamSynchronize(there));
  OK(cuStreamSynchronize(here));
  OK(cuMemFree(b));
  OK(cuStreamDestroy(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close(written, a, here);
}
