// A module is unloaded twice.
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
  // @HERE
  cuModuleUnload(module);
  Close();
}
