// Defect: A library has no code for the device. Loading it succeeds; the first look-up fails.
// Fix: The library has code for every device.
// EXPECT error module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-TEXT sm_75
#include "common/cuda.h"
#include "common/cuda_cubin.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* image = kCubinForSm75;
  const char* name = "nothing";
#else
  const char* image = kKernels;
  const char* name = KERNEL_NOTHING;
#endif
  CUlibrary library;
  CUkernel kernel;
  // @LOADED
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  // @HERE
  cuLibraryGetKernel(&kernel, library, name);
  OK(cuLibraryUnload(library));
  Close();
}
