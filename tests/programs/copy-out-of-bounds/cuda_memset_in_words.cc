// Defect: A fill counts in bytes where the call counts in words of four bytes.
// Fix: A fill counts in words, as the call does.
// EXPECT error copy-out-of-bounds cuMemsetD32_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  const size_t words = 4096;
#else
  const size_t words = 4096 / 4;
#endif
  // @HERE
  cuMemsetD32(buffer, 0, words);
  Close(buffer);
}
