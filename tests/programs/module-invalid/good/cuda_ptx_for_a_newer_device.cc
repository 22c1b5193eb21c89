// A module of PTX whose target the device fulfils.
#include "common/cuda.h"

int main() {
  Open();
  const char* ptx =
      ".version 8.8\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  CUmodule module;
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
