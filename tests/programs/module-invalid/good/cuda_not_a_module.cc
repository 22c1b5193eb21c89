// A module is loaded from PTX.
#include "common/cuda.h"

int main() {
  Open();
  const char* image = kKernels;
  CUmodule module;
  if (cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
  Close();
}
