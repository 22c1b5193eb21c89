// Defect: A kernel doubles memory that nothing has written.
// Fix: The memory is set before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-TEXT updates argument 0, device allocation .*, from byte 0 on, but nothing has written these bytes
#include "common/cuda.h"
#include "common/cuda_code.h"

int main() {
  Open();
  CUmodule code;
  CUfunction kernel;
  OK(cuModuleLoadData(&code, kCode));
  OK(cuModuleGetFunction(&kernel, code, CODE_TWICE));
  CUdeviceptr data = NewMemory(4096);
#ifndef DEFECT
  OK(cuMemsetD8Async(data, 0, 4096, nullptr));
#endif
  void* arguments[] = {&data};
  // @HERE
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuModuleUnload(code));
  Close();
}
