// Defect: The destination of an upload is a host block.
// Fix: The destination of an upload is device memory.
// EXPECT error copy-direction cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));  // else it may be a host block
  static char data[4096];
  // @BLOCK
  char* block = (char*)malloc(4096);
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  CUdeviceptr to = (CUdeviceptr)block;
#else
  CUdeviceptr to = buffer;
#endif
  // @HERE
  cuMemcpyHtoD(to, data, 4096);
  OK(cuMemFree(buffer));
  free(block);
  Close();
}
