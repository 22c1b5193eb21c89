// Defect: A fill of pitched memory has one row too many.
// Fix: A fill of pitched memory has as many rows as the memory.
// EXPECT error copy-out-of-bounds cuMemsetD2D8_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  size_t pitch;
  // @CREATED
  OK(cuMemAllocPitch(&buffer, &pitch, 500, 32, 4));
#ifdef DEFECT
  const size_t rows = 33;
#else
  const size_t rows = 32;
#endif
  // @HERE
  cuMemsetD2D8(buffer, pitch, 0, 500, rows);
  Close(buffer);
}
