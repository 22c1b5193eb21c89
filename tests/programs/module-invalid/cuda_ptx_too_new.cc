// Defect: A module of a PTX version that is newer than the driver.
// Fix: A module of a PTX version that the driver knows.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_UNSUPPORTED_PTX_VERSION at HERE
// EXPECT-TEXT 99.9
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* ptx =
      ".version 99.9\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#else
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
