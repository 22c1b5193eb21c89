// Defect: A program gives a hint for a function, and loads it early, after its module was unloaded.
// Fix: The module is unloaded last.
// EXPECT error use-after-free cuFuncSetCacheConfig at HINT
// EXPECT error use-after-free cuFuncLoad at LOAD
// EXPECT-PARTY release at RELEASE
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_NOTHING));
#ifdef DEFECT
  // @RELEASE
  OK(cuModuleUnload(module));
#endif
  // @HINT
  cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1);
  // @LOAD
  cuFuncLoad(function);
#ifndef DEFECT
  OK(cuModuleUnload(module));
#endif
  Close();
}
