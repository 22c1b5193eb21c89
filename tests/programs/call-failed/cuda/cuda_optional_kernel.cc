// Defect: A program looks up a kernel that its module does not have, and goes on without it.
// Fix: The program looks up a kernel that its module has.
// EXPECT note call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at HERE
// EXPECT-TEXT none with a similar name
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
  // @HERE
  cuModuleGetFunction(&kernel, module_of_kernels, name);
  if (kernel == nullptr) kernel = Kernel(KERNEL_NOTHING);
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  Close();
}
