// Defect: A kernel gets memory of another device behind the end of the access to it. (No thread of
// the launch uses it.)
// Fix: The access ends behind the last kernel that gets the memory.
// EXPECT error invalid-handle cuLaunchKernel at LATE
// EXPECT-FACT argument~argument 1
// EXPECT-PARTY allocation at CREATED
#include "common/cuda_two_devices.h"

int main() {
  const auto [second, other] = OpenTwo();
  int may = 0;
  OK(cuDeviceCanAccessPeer(&may, device, second));
  NEEDS(may);
  OK(cuCtxSetCurrent(other));
  CUdeviceptr there;
  // @CREATED
  OK(cuMemAlloc(&there, 4096));
  OK(cuMemsetD8(there, 0, 4096));
  OK(cuCtxSynchronize());
  OK(cuCtxSetCurrent(context));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), out = NewMemory(4096);
  int n = 0;
  void* arguments[] = {&a, &there, &out, &n};
  OK(cuCtxEnablePeerAccess(other, 0));
  for (int i = 0; i < 8; ++i)
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifdef DEFECT
  OK(cuCtxDisablePeerAccess(other));
#endif
  // @LATE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuCtxDisablePeerAccess(other));
#endif
  OK(cuMemFree(out));
  OK(cuMemFree(a));
  OK(cuCtxSetCurrent(other));
  OK(cuMemFree(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close();
}
