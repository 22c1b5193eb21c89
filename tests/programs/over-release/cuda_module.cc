// Defect: A module is unloaded twice.
// Fix: A module is loaded again before it is unloaded again.
// EXPECT error over-release cuModuleUnload none at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  // @LOADED
  OK(cuModuleLoadData(&module, kKernels));
  // @FIRST
  OK(cuModuleUnload(module));
#ifndef DEFECT
  OK(cuModuleLoadData(&module, kKernels));
#endif
  // @HERE
  cuModuleUnload(module);
  Close();
}
