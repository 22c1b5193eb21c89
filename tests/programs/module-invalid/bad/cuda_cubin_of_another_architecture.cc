// A module that was compiled for sm_75 alone, which only devices of compute capability 7.5 to
// 7.9 run.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-TEXT sm_75
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  const char* image = kCubinForSm75;
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
