// Defect: A program asks for an attribute of a function whose module is unloaded.
// Fix: It asks before it unloads the module.
// EXIT any
// EXPECT error use-after-free cuFuncGetAttribute at QUERY
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT _Z7nothingv|nothing
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_NOTHING));
  int registers = 0;
#ifdef DEFECT
  // @RELEASE
  OK(cuModuleUnload(module));
#endif
  // @QUERY
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
#ifndef DEFECT
  OK(cuModuleUnload(module));
#endif
  Close();
}
