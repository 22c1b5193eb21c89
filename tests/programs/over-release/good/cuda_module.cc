// A module is loaded again before it is unloaded again.
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleUnload(module));
  OK(cuModuleLoadData(&module, kKernels));
  cuModuleUnload(module);
  Close();
}
