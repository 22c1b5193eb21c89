// Defect: An allocation fails. The program ignores the error and copies to the pointer.
// Fix: The allocation succeeds.
// EXPECT warning out-of-memory cudaMalloc at FAILED
// EXPECT error error-ignored cudaMemcpy at HERE
// EXPECT-PARTY failed-call at FAILED
#include "common/cudart.h"

int main() {
  static char data[4096];
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 12;
#endif
  void* buffer = nullptr;
  // @FAILED
  cudaMalloc(&buffer, bytes);
  // @HERE
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
  if (buffer) OK(cudaFree(buffer));
  Close();
}
