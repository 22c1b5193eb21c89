// Defect: The allocation is 1024 bytes shorter than the model that is copied to it.
// Fix: The allocation is as long as the model that is copied to it.
// EXPECT error copy-out-of-bounds cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=15360
#include "common/cudart.h"

int main() {
  enum { n = 4096 };
  static float model[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  float* buffer;
  // @CREATED
  OK(cudaMalloc((void**)&buffer, bytes));
  // @HERE
  cudaMemcpy(buffer, model, n * sizeof(float), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  Close();
}
