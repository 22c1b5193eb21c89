// Defect: Two streams download into parts of one page-locked block that overlap.
// Fix: Two streams download into parts of one page-locked block that do not overlap.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr one = NewZeros(4096), two = NewZeros(4096);
  char* result = NewPinned(8192);
#ifdef DEFECT
  char* place = result + 2048;
#else
  char* place = result + 4096;
#endif
  // @FIRST
  OK(cuMemcpyDtoHAsync(result, one, 4096, first));
  // @HERE
  OK(cuMemcpyDtoHAsync(place, two, 4096, second));
  OK(cuCtxSynchronize());
  Close(result, two, one, second, first);
}
