// Defect: A program tries amounts of shared memory downwards until the driver accepts one. That is
// legal, so the failures are a note.
// Fix: The program asks for the limit of the device.
// EXPECT note call-failed cuFuncSetAttribute at HERE
#include "common/cuda.h"

int main() {
  Open();
  const CUfunction kernel = Kernel(KERNEL_FILL);
  const CUfunction_attribute attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  int bytes = Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
#ifdef DEFECT
  bytes *= 2;
#endif
  // @HERE
  while (cuFuncSetAttribute(kernel, attribute, bytes) != CUDA_SUCCESS) bytes /= 2;
  CHECK(bytes != 0);
  Close();
}
