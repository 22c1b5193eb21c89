// Defect: A fill multiplies the bytes by the size of an element once more.
// Fix: The fill has the size in bytes.
// EXPECT error copy-out-of-bounds cudaMemset at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  const size_t bytes = 1024 * sizeof(float);
  float* buffer;
  // @CREATED
  OK(cudaMalloc((void**)&buffer, bytes));
#ifdef DEFECT
  const size_t filled = bytes * sizeof(float);
#else
  const size_t filled = bytes;
#endif
  // @HERE
  cudaMemset(buffer, 0, filled);
  OK(cudaFree(buffer));
  Close();
}
