// Defect: A kernel is looked up by its name in the source, which is not its name in the module.
// Fix: A kernel is looked up by its name in the module.
// EXPECT warning call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at HERE
// EXPECT-TEXT has no function "copy".*_Z4copyPKfPf
#include "common/cuda.h"

int main() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
#ifdef DEFECT
  const char* name = "copy";
#else
  const char* name = KERNEL_COPY;
#endif
  CUfunction kernel;
  // @HERE
  cuModuleGetFunction(&kernel, module_of_kernels, name);
  Close();
}
