// All of a buffer is uploaded, and a kernel reads it.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  static float data[1024];
  CUdeviceptr in, out;
  OK(cuMemAlloc(&in, sizeof(data)));
  OK(cuMemAlloc(&out, sizeof(data)));
  const size_t bytes = sizeof(data);
  OK(cuMemcpyHtoD(in, data, bytes));
  void* arguments[] = {&in, &out};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  Close();
}
