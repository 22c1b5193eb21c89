// An upload from a host block.
#include "common/cuda.h"

int main() {
  Open();
  static char array[4096];
  const char* data = array;
  CUdeviceptr buffer = NewMemory(4096);
  cuMemcpyHtoD(buffer, data, 4096);
  OK(cuMemFree(buffer));
  Close();
}
