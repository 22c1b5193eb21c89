// A library with code for the device is asked for one kernel after the other.
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  const char* names[] = {KERNEL_NOTHING, KERNEL_FILL, KERNEL_COPY};
  const char* image = kKernels;
  CUlibrary library;
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  int usable = 0;
  for (const char* name : names) {
    CUkernel kernel;
    if (cuLibraryGetKernel(&kernel, library, name) == CUDA_SUCCESS) ++usable;
  }
  printf("%d of %d kernels can be used\n", usable, 3);
  OK(cuLibraryUnload(library));
  Close();
}
