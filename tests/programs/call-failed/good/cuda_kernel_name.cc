// A kernel is looked up by its name in the module.
#include "common/cuda.h"

int main() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
  const char* name = KERNEL_COPY;
  CUfunction kernel;
  cuModuleGetFunction(&kernel, module_of_kernels, name);
  Close();
}
