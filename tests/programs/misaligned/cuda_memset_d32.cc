// Defect: A fill with words of four bytes begins at an address that is not a multiple of four.
// Fix: A fill with words of four bytes begins at a multiple of four.
// EXPECT error misaligned cuMemsetD32_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  const size_t offset = 2;
#else
  const size_t offset = 4;
#endif
  // @HERE
  cuMemsetD32(buffer + offset, 0, 1000);
  Close(buffer);
}
