// A kernel is launched behind the unload of its module.
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
  // @UNLOADED
  OK(cuModuleUnload(module));
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  Close();
}
