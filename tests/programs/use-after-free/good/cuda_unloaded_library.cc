// All kernels are looked up in a library before it is unloaded.
#include "common/cuda.h"

int main() {
  Open();
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
  cuLibraryGetKernel(&kernel, library, KERNEL_COPY);
  OK(cuLibraryUnload(library));
  Close();
}
