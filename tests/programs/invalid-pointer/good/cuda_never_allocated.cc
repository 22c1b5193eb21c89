// A download from an allocation.
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer = NewZeros(4096);
  CUdeviceptr from = buffer;
  cuMemcpyDtoH(result, from, sizeof(result));
  OK(cuMemFree(buffer));
  Close();
}
