// Defect: A device allocation is too short for the upload: the size was computed in another way.
// Fix: A device allocation is as long as the upload.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=15360
#include "common/cuda.h"

int main() {
  Open();
  enum { n = 4096 };
  static float data[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, bytes));
  // @HERE
  cuMemcpyHtoD(buffer, data, n * sizeof(float));
  Close(buffer);
}
