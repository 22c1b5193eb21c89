// Managed memory is used by host, copies and kernels in turn.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUdeviceptr managed;
  OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  float *data = (float*)managed, result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  void* arguments[] = {&managed};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  CHECK(data[1023] == 2046);
  OK(cuMemcpyDtoH(result, managed, 4096));
  CHECK(result[1023] == 2046);
  OK(cuMemsetD8(managed, 0, 4096));
  OK(cuCtxSynchronize());
  CHECK(data[1023] == 0);
  Close(managed);
}
