// Defect: A fill counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: A fill covers all bytes of the allocation that is downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT written_bytes=1024
#include "common/cuda.h"

int main() {
  Open();
  const size_t count = 1024;
  static float result[count];
  CUdeviceptr sums;
  // @CREATED
  OK(cuMemAlloc(&sums, count * sizeof(float)));
#ifdef DEFECT
  OK(cuMemsetD8(sums, 0, count));
#else
  OK(cuMemsetD8(sums, 0, count * sizeof(float)));
#endif
  // @HERE
  OK(cuMemcpyDtoH(result, sums, sizeof(result)));
  Close(sums);
}
