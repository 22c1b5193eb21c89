// PTX is loaded first.
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  CUmodule module;
  const char* first = kKernels;
  if (cuModuleLoadData(&module, first) != CUDA_SUCCESS) OK(cuModuleLoadData(&module, kKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
  Close();
}
