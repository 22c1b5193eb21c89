// Defect: The program tries what the module or the device may not have, and goes on without it.
// That is legal, so the failures are notes.
// Fix: The program does not try.
#include "common/cuda.h"

// Defect: A program looks up a kernel that its module does not have, and goes on without it.
// Fix: The program looks up a kernel that its module has.
// EXPECT note call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at HERE
// EXPECT-TEXT none with a similar name
static void OptionalKernel() {
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
#ifdef DEFECT
  const char* name = "fast_path_of_new_devices";
#else
  const char* name = KERNEL_NOTHING;
#endif
  CUfunction kernel = nullptr;
  // @HERE
  cuModuleGetFunction(&kernel, module_of_kernels, name);
  if (kernel == nullptr) kernel = Kernel(KERNEL_NOTHING);
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
}

// Defect: A program tries amounts of shared memory downwards until the driver accepts one. That is
// legal, so the failures are a note.
// Fix: The program asks for the limit of the device.
// EXPECT note call-failed cuFuncSetAttribute at HERE_2
static void ProbeOfSizes() {
  const CUfunction kernel = Kernel(KERNEL_FILL);
  const CUfunction_attribute attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  int bytes = Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
#ifdef DEFECT
  bytes *= 2;
#endif
  // @HERE_2
  while (cuFuncSetAttribute(kernel, attribute, bytes) != CUDA_SUCCESS) bytes /= 2;
  CHECK(bytes != 0);
}

int main() {
  Open();
  OptionalKernel();
  ProbeOfSizes();
  Close();
}
