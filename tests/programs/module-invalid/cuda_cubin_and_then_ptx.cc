// Defect: The program tries a cubin for other devices first and loads PTX instead. That is only a
// note.
// Fix: The program loads PTX first.
// EXPECT note module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-TEXT sm_75
// EXPECT-TEXT the program loaded another module instead
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  CUmodule module;
#ifdef DEFECT
  const char* first = kCubinForSm75;
#else
  const char* first = kKernels;
#endif
  // @HERE
  if (cuModuleLoadData(&module, first) != CUDA_SUCCESS) OK(cuModuleLoadData(&module, kKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
  Close();
}
