// Defect: A module that was compiled for sm_75 alone, which only devices of compute capability 7.5
// to 7.9 run.
// Fix: A module of PTX for sm_75, which is compiled for the device when it is loaded.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-TEXT sm_75
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* image = kCubinForSm75;
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
