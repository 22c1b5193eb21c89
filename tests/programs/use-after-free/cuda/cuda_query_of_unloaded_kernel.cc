// Defect: A program asks for the name of a kernel whose library is unloaded.
// Fix: It asks before it unloads the library.
// EXIT any
// EXPECT error use-after-free cuKernelGetName at QUERY
// EXPECT-PARTY release at RELEASE
#include "common/cuda.h"

int main() {
  Open();
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
  const char* name = nullptr;
#ifdef DEFECT
  // @RELEASE
  OK(cuLibraryUnload(library));
#endif
  // @QUERY
  cuKernelGetName(&name, kernel);
#ifndef DEFECT
  OK(cuLibraryUnload(library));
#endif
  Close();
}
