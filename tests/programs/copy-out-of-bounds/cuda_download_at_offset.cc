// Defect: A download begins inside of an allocation and reaches past its end.
// Fix: A download begins inside of an allocation and ends at its end.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 1, 4096));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 2048;
#endif
  // @HERE
  cuMemcpyDtoH(result, buffer + 2048, bytes);
  Close(buffer);
}
