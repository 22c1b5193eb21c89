// A module of a PTX version that the driver knows.
#include "common/cuda.h"

int main() {
  Open();
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  CUmodule module;
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
