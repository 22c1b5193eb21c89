// Defect: A module is loaded from arbitrary bytes.
// Fix: The module is loaded from PTX.
// EXPECT error module-invalid cuModuleLoadDataEx at HERE
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* image = "\x01\x02\x03 these bytes are no module";
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
  Close();
}
