// Defect: A stream of one device copies into memory of another device, where another stream fills
// the same memory.
// Fix: The stream of the other device waits for the copy.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at COPY
// EXPECT-FACT hazard=WAW
#include "common/cuda_two_devices.h"

int main() {
  const auto [second, other] = OpenTwo();
  CUstream here = NewStream();
  CUdeviceptr a = NewZeros(4096);
  CUevent copied = NewEvent();
  OK(cuCtxSetCurrent(other));
  CUstream there = NewStream();
  CUdeviceptr b = NewMemory(4096);
  OK(cuCtxSetCurrent(context));
  // @COPY
  OK(cuMemcpyPeerAsync(b, other, a, context, 4096, here));
  OK(cuEventRecord(copied, here));
  OK(cuCtxSetCurrent(other));
#ifndef DEFECT
  OK(cuStreamWaitEvent(there, copied, 0));
#endif
  // @HERE
  OK(cuMemsetD8Async(b, 1, 4096, there));
  OK(cuStreamSynchronize(there));
  OK(cuStreamSynchronize(here));
  OK(cuMemFree(b));
  OK(cuStreamDestroy(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close(copied, a, here);
}
