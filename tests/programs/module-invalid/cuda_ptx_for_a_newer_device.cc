// Defect: A module of PTX whose target is newer than the device.
// Fix: A module of PTX whose target the device fulfils.
// EXPECT error module-invalid cuModuleLoadData at HERE
// EXPECT-TEXT sm_121
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* ptx =
      ".version 8.8\n.target sm_121\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#else
  const char* ptx =
      ".version 8.8\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
