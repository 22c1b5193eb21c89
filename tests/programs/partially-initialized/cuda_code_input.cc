// Defect: A part of a buffer is written, and the code of a kernel reads all of it.
// Fix: All of the buffer is written.
#include "common/cuda.h"
#include "common/cuda_code.h"
#include "common/cuda_machine_code.h"

// Defect: Half of an input is uploaded, and the code of the kernel reads all of it.
// Fix: The whole input is uploaded.
// EXPECT warning partially-initialized cuLaunchKernel at HERE
// EXPECT-FACT written_bytes=2048
// EXPECT-FACT gap_begin=2048
static void CodeHalfOfTheInput() {
  CUfunction add = CodeKernel(CODE_ADD);
  static float data[1024];
  CUdeviceptr a = NewMemory(4096), b = NewZeros(4096), out = NewMemory(4096);
#ifdef DEFECT
  OK(cuMemcpyHtoD(a, data, 2048));
#else
  OK(cuMemcpyHtoD(a, data, 4096));
#endif
  int n = 1024;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out, b, a);
}

// Defect: A kernel writes half of a buffer. Other kernels read all of it, or the other half.
// Fix: The kernel writes the whole buffer.
// EXPECT warning partially-initialized cuLaunchKernel at ALL
// EXPECT-FACT written_bytes=4096
// EXPECT-FACT gap_begin=4096
// EXPECT warning partially-initialized cuLaunchKernel at REST
// EXPECT-FACT written_bytes=4096
// EXPECT-FACT gap_begin=4096
// EXPECT-FACT gap_end=8192
// EXPECT warning partially-initialized cuLaunchKernel at PARTS
// EXPECT-FACT argument=1
// EXPECT-FACT gap_begin=4096
static CUdeviceptr Half() {
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr out = NewMemory(8192);
  int value = 0;
#ifdef DEFECT
  unsigned blocks = 4;
#else
  unsigned blocks = 8;
#endif
  void* arguments[] = {&out, &value};
  OK(cuLaunchKernel(fill, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  return out;
}

static void CodeHalfByAKernel() {
  CUfunction add = CodeKernel(CODE_ADD);
  CUdeviceptr b = NewZeros(8192), sum = NewMemory(8192);
  CUdeviceptr a = Half();
  int n = 2048;
  void* all[] = {&a, &b, &sum, &n};
  // @ALL
  OK(cuLaunchKernel(add, 8, 1, 1, 256, 1, 1, 0, nullptr, all, nullptr));
  CUdeviceptr other = Half(), second = other + 4096;
  int rest = 1024;
  void* half[] = {&second, &b, &sum, &rest};
  // @REST
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, half, nullptr));
  // Both inputs are parts of one buffer.
  CUdeviceptr both = Half(), low = both, high = both + 4096;
  void* parts[] = {&low, &high, &sum, &rest};
  // @PARTS
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, parts, nullptr));
  OK(cuCtxSynchronize());
  Release(both, other, a, sum, b);
}

// Defect: A quarter of the memory is set, because the call counts bytes, and a kernel doubles all.
// Fix: The size is in bytes.
// EXPECT warning partially-initialized cuLaunchKernel at HERE_2
// EXPECT-FACT written_bytes=1024
// EXPECT-TEXT updates argument 0, device allocation .*, in place, but only 1 KiB of it were written
static void CodePartUpdatedInPlace() {
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
  // @HERE_2
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuModuleUnload(code));
}

int main() {
  Open();
  CodeHalfOfTheInput();
  CodeHalfByAKernel();
  CodePartUpdatedInPlace();
  Close();
}
