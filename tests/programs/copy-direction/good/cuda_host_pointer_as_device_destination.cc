// The destination of an upload is device memory.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));  // else it may be a host block
  static char data[4096];
  char* block = (char*)malloc(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUdeviceptr to = buffer;
  cuMemcpyHtoD(to, data, 4096);
  OK(cuMemFree(buffer));
  free(block);
  Close();
}
