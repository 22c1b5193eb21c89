// Defect: Kernels read memory that nothing has set.
// Fix: The memory is set before.
#include "common/cuda.h"
#include "common/cuda_code.h"

// Defect: A kernel reads a buffer that nothing has written.
// Fix: A kernel reads a buffer that was filled.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
static void KernelInput() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUdeviceptr in, out = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&in, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(in, 0, 4096));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in);
}

// Defect: A kernel adds to a sum that nothing has set.
// Fix: The sum is set to 0 before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE_2
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1, device allocation .*atomically from byte 0 on
static void SumNeverZeroed() {
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
  // @HERE_2
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  // It has a value now.
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(sum));
  OK(cuMemFree(values));
  OK(cuModuleUnload(code));
  Close();
}

// Defect: A kernel of which only PTX is known counts in memory that nothing has set.
// Fix: The counter is set to 0 before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-TEXT updates argument 0, device allocation .*atomically from byte 0 on
static void PtxCounterNeverZeroed() {
  Open();
  CUfunction count = Kernel(KERNEL_COUNT);
  CUdeviceptr counter = NewMemory(sizeof(unsigned));
#ifndef DEFECT
  OK(cuMemsetD32Async(counter, 0, 1, nullptr));
#endif
  void* arguments[] = {&counter};
  // @HERE_3
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(counter);
}

int main() {
  KernelInput();
  SumNeverZeroed();
  PtxCounterNeverZeroed();
}
