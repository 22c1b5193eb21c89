// Defect: A program launches a kernel without a check whether its look-up succeeded.
// Fix: The program launches the kernel only if its module has it.
// EXPECT note call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at LOOKED_UP
// EXPECT error invalid-handle cuLaunchKernel CUDA_ERROR_INVALID_HANDLE at HERE
// EXPECT-FACT argument=f
#include "common/cuda.h"

int main() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
#ifdef DEFECT
  const char* name = "fast_path_of_new_devices";
#else
  const char* name = KERNEL_NOTHING;
#endif
  CUfunction kernel = nullptr;
  // @LOOKED_UP
  cuModuleGetFunction(&kernel, module_of_kernels, name);
  // @HERE
  cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
