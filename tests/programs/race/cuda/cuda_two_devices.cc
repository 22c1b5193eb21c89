// Defect: Streams of two devices use the same memory, and nothing orders the two.
// Fix: The second stream waits for an event of the first one.
#include "common/cuda_two_devices.h"

// Defect: A kernel of one device writes memory that a stream of another device copies away.
// Fix: The stream of the other device waits for the kernel.
// EXPECT error race cuMemcpyPeerAsync at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
static void KernelAndPeerCopyOnTwoDevices() {
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

// Defect: A stream of one device copies into memory of another device, where another stream fills
// the same memory.
// Fix: The stream of the other device waits for the copy.
// EXPECT error race cuMemsetD8Async at HERE_2
// EXPECT-PARTY pending-command at COPY
// EXPECT-FACT hazard=WAW
static void PeerCopyAndFillOnTwoDevices() {
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
  // @HERE_2
  OK(cuMemsetD8Async(b, 1, 4096, there));
  OK(cuStreamSynchronize(there));
  OK(cuStreamSynchronize(here));
  OK(cuMemFree(b));
  OK(cuStreamDestroy(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close(copied, a, here);
}

int main() {
  KernelAndPeerCopyOnTwoDevices();
  PeerCopyAndFillOnTwoDevices();
}
