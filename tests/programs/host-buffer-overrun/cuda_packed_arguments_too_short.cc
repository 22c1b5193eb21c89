// Defect: The buffer with the arguments of a kernel is said to have the size of the first argument.
// Fix: The buffer is said to have the size of all arguments.
// EXPECT error host-buffer-overrun cuLaunchKernel at HERE
// EXPECT-FACT needed_bytes=28
// EXPECT-FACT block_bytes=8
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  struct {
    CUdeviceptr a, b, out;
    int n;
  } arguments = {NewZeros(4096), NewZeros(4096), NewZeros(4096), 1024};
#ifdef DEFECT
  size_t bytes = sizeof(arguments.a);
#else
  size_t bytes = 28;  // without the padding at the end
#endif
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                    CU_LAUNCH_PARAM_END};
  // @HERE
  CUresult code = cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, packed);
#ifdef DEFECT
  _Exit(code);  // a wait may return a fault
#endif
  OK(code);
  OK(cuCtxSynchronize());
  Close(arguments.out, arguments.b, arguments.a);
}
