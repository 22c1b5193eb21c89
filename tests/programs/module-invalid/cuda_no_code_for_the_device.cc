// Defect: Modules and libraries have no code for the device.
// Fix: The program loads code for the device.
#include "common/cuda.h"
#include "common/cuda_cubin.h"

// Defect: A library has no code for the device. Loading it succeeds; the first look-up fails.
// Fix: The library has code for every device.
// EXPECT error module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-TEXT sm_75
static void LibraryWithoutCode() {
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
}

// Defect: The program looks up one kernel after the other in a library without code for the device,
// and continues without them. That is only a note.
// Fix: The library has code for the device.
// EXPECT note module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_2
// EXPECT-PARTY allocation at LOADED_2
// EXPECT-TEXT sm_75
// EXPECT-TEXT continued without it
// EXPECT-COUNT 3
static void KernelsAskedForOneByOne() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* names[] = {"nothing", KERNEL_FILL, KERNEL_COPY};
  const char* image = kCubinForSm75;
#else
  const char* names[] = {KERNEL_NOTHING, KERNEL_FILL, KERNEL_COPY};
  const char* image = kKernels;
#endif
  CUlibrary library;
  // @LOADED_2
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  int usable = 0;
  for (const char* name : names) {
    CUkernel kernel;
    // @HERE_2
    if (cuLibraryGetKernel(&kernel, library, name) == CUDA_SUCCESS) ++usable;
  }
  printf("%d of %d kernels can be used\n", usable, 3);
  OK(cuLibraryUnload(library));
}

// Defect: The program tries a cubin for other devices first and loads PTX instead. That is only a
// note.
// Fix: The program loads PTX first.
// EXPECT note module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_3
// EXPECT-TEXT sm_75
// EXPECT-TEXT the program loaded another module instead
static void CubinAndThenPtx() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  CUmodule module;
#ifdef DEFECT
  const char* first = kCubinForSm75;
#else
  const char* first = kKernels;
#endif
  // @HERE_3
  if (cuModuleLoadData(&module, first) != CUDA_SUCCESS) OK(cuModuleLoadData(&module, kKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
}

int main() {
  Open();
  LibraryWithoutCode();
  KernelsAskedForOneByOne();
  CubinAndThenPtx();
  Close();
}
