// A module of PTX for sm_75, which is compiled for the device when it is loaded.
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  const char* image = kKernels;
  CUmodule module;
  if (cuModuleLoadData(&module, image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
