// Defect: A kernel is looked up in a library that has been unloaded.
// Fix: All kernels are looked up in a library before it is unloaded.
// EXPECT error use-after-free cuLibraryGetKernel none at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-PARTY release at UNLOADED
// EXPECT-TEXT library is library
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUlibrary library;
  CUkernel kernel;
  // @LOADED
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
#ifndef DEFECT
  cuLibraryGetKernel(&kernel, library, KERNEL_COPY);
#endif
  // @UNLOADED
  OK(cuLibraryUnload(library));
#ifdef DEFECT
  // @HERE
  cuLibraryGetKernel(&kernel, library, KERNEL_COPY);
#endif
  Close();
}
