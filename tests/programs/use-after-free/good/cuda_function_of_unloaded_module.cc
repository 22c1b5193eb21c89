// A module is unloaded behind the last launch of its kernel.
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  CUfunction nothing;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuModuleUnload(module));
  Close();
}
