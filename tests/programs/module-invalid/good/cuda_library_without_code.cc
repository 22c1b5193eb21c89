// A library that holds code for every device.
#include "common/cuda.h"

int main() {
  Open();
  const char* image = kKernels;
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING);
  OK(cuLibraryUnload(library));
  Close();
}
