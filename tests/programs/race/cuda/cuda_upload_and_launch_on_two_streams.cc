// Defect: The input of a kernel is uploaded on one stream and the kernel launched on another,
// without an event between them.
// Fix: The input of a kernel is uploaded and the kernel launched on one stream.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream first, second;
  OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  float* data;
  OK(cuMemAllocHost((void**)&data, 1024 * sizeof(float)));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  CUdeviceptr in, out;
  OK(cuMemAlloc(&in, 1024 * sizeof(float)));
  OK(cuMemAlloc(&out, 1024 * sizeof(float)));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(in, data, 1024 * sizeof(float), first));
  void* arguments[] = {&in, &out};
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in, data, second, first);
}
