// Defect: A download from an address that no allocation has.
// Fix: A download from an allocation.
// EXPECT error invalid-pointer cuMemcpyDtoH_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer = NewZeros(4096);
#ifdef DEFECT
  CUdeviceptr from = 0x1234500;
#else
  CUdeviceptr from = buffer;
#endif
  // @HERE
  cuMemcpyDtoH(result, from, sizeof(result));
  Close(buffer);
}
