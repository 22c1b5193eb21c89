// Defect: A quarter of the memory is set, because the call counts bytes, and a kernel doubles all.
// Fix: The size is in bytes.
// EXPECT warning partially-initialized cuLaunchKernel at HERE
// EXPECT-FACT written_bytes=1024
// EXPECT-TEXT updates argument 0, device allocation .*, in place, but only 1 KiB of it were written
#include "common/cuda.h"
#include "common/cuda_code.h"

int main() {
  Open();
  CUmodule code;
  CUfunction kernel;
  OK(cuModuleLoadData(&code, kCode));
  OK(cuModuleGetFunction(&kernel, code, CODE_TWICE));
  CUdeviceptr data = NewMemory(1024 * sizeof(float));
#ifdef DEFECT
  const size_t bytes = 1024;
#else
  const size_t bytes = 1024 * sizeof(float);
#endif
  OK(cuMemsetD8(data, 0, bytes));
  void* arguments[] = {&data};
  // @HERE
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuModuleUnload(code));
  Close();
}
