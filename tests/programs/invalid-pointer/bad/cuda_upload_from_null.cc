// An upload from NULL.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char array[4096];
  const char* data = nullptr;
  CUdeviceptr buffer = NewMemory(4096);
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
  OK(cuMemFree(buffer));
  Close();
}
