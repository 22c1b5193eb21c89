// Defect: A module of PTX with an unknown instruction.
// Fix: A module of PTX without mistakes.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_INVALID_PTX at HERE
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { retrun; }\n";
#else
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
