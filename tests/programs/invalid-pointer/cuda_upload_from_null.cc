// Defect: An upload from NULL.
// Fix: An upload from a host block.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char array[4096];
#ifdef DEFECT
  const char* data = nullptr;
#else
  const char* data = array;
#endif
  CUdeviceptr buffer = NewMemory(4096);
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
  Close(buffer);
}
