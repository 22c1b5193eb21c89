// Defect function: A program asks for an attribute of a function whose module is unloaded.
// EXPECT error use-after-free cuFuncGetAttribute at ATTRIBUTE
// EXPECT-PARTY release at MODULE
// EXPECT-TEXT _Z7nothingv|nothing
// Defect kernel: A program asks for the name of a kernel whose library is unloaded.
// EXPECT error use-after-free cuKernelGetName at NAME
// EXPECT-PARTY release at LIBRARY
// Fix: It asks before it unloads the module and the library.
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_NOTHING));
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
  int registers = 0;
  const char* name = nullptr;
#ifndef DEFECT
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  cuKernelGetName(&name, kernel);
#endif
  // @MODULE
  OK(cuModuleUnload(module));
  // @LIBRARY
  OK(cuLibraryUnload(library));
#ifdef DEFECT_function
  // @ATTRIBUTE
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
#elif defined(DEFECT_kernel)
  // @NAME
  cuKernelGetName(&name, kernel);
#endif
  Close();
}
