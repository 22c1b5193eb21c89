// Defect: Two kernels, whose names say nothing of their parameters, write the same buffer on two
// streams. Only their PTX tells.
// Fix: The second stream waits for the first one.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include "common/cuda_ptx.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction copy = PtxKernel(CODE_PLAIN_COPY);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out = NewZeros(4096);
  CUevent done;
  OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  void *from_a[] = {&a, &out}, *from_b[] = {&b, &out};
  // @FIRST
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, from_a, nullptr));
  OK(cuEventRecord(done, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @SECOND
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, from_b, nullptr));
  OK(cuCtxSynchronize());
  Close(done, out, b, a, second, first);
}
