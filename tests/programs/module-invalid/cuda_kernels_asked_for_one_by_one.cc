// Defect: The program looks up one kernel after the other in a library without code for the device,
// and continues without them. That is only a note.
// Fix: The library has code for the device.
// EXPECT note module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-TEXT sm_75
// EXPECT-TEXT continued without it
// EXPECT-COUNT 3
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* names[] = {"nothing", KERNEL_FILL, KERNEL_COPY};
  const char* image = kCubinForSm75;
#else
  const char* names[] = {KERNEL_NOTHING, KERNEL_FILL, KERNEL_COPY};
  const char* image = kKernels;
#endif
  CUlibrary library;
  // @LOADED
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  int usable = 0;
  for (const char* name : names) {
    CUkernel kernel;
    // @HERE
    if (cuLibraryGetKernel(&kernel, library, name) == CUDA_SUCCESS) ++usable;
  }
  printf("%d of %d kernels can be used\n", usable, 3);
  OK(cuLibraryUnload(library));
  Close();
}
