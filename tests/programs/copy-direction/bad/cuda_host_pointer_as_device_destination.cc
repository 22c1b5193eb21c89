// The destination of an upload is a host block.
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
  CUdeviceptr to = (CUdeviceptr)block;
  // @HERE
  cuMemcpyHtoD(to, data, 4096);
  OK(cuMemFree(buffer));
  free(block);
  Close();
}
