// Defect: A kernel adds to a sum that nothing has set.
// Fix: The sum is set to 0 before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1, device allocation .*atomically from byte 0 on
#include "common/cuda.h"
#include "common/cuda_code.h"

int main() {
  Open();
  CUmodule code;
  CUfunction kernel;
  OK(cuModuleLoadData(&code, kCode));
  OK(cuModuleGetFunction(&kernel, code, CODE_SUM));
  CUdeviceptr values = NewZeros(4096), sum = NewMemory(sizeof(float));
#ifndef DEFECT
  OK(cuMemsetD8Async(sum, 0, sizeof(float), nullptr));
#endif
  int count = 1024;
  void* arguments[] = {&values, &sum, &count};
  // @HERE
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  // It has a value now.
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(sum));
  OK(cuMemFree(values));
  OK(cuModuleUnload(code));
  Close();
}
