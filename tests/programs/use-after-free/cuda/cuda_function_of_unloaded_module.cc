// Defect: A kernel is launched after the unload of its module.
// Fix: A module is unloaded after the last launch of its kernel.
// EXPECT error use-after-free cuLaunchKernel none at HERE
// EXPECT-PARTY allocation at FOUND
// EXPECT-PARTY release at UNLOADED
// EXPECT-TEXT "nothing"
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  CUfunction nothing;
  OK(cuModuleLoadData(&module, kKernels));
  // @FOUND
  OK(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
#endif
  // @UNLOADED
  OK(cuModuleUnload(module));
#ifdef DEFECT
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
#endif
  Close();
}
