// A download from an address that no allocation has.
// EXPECT error invalid-pointer cuMemcpyDtoH_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer = NewZeros(4096);
  CUdeviceptr from = 0x1234500;
  // @HERE
  cuMemcpyDtoH(result, from, sizeof(result));
  OK(cuMemFree(buffer));
  Close();
}
