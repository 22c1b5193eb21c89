// Defect: Half of a buffer is uploaded, and a kernel reads all of it.
// Fix: All of a buffer is uploaded, and a kernel reads it.
// EXPECT warning partially-initialized cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT written_bytes=2048
// EXPECT-FACT resource_bytes=4096
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  static float data[1024];
  CUdeviceptr in, out;
  // @CREATED
  OK(cuMemAlloc(&in, sizeof(data)));
  OK(cuMemAlloc(&out, sizeof(data)));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(cuMemcpyHtoD(in, data, bytes));
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in);
}
