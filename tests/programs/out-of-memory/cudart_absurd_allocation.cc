// Defect: The program allocates more memory than any device has, while it holds other memory.
// Fix: The size is small.
// EXPECT warning out-of-memory cudaMalloc at HERE
// EXPECT-PARTY holder at CREATED
// EXPECT-FACT requested_bytes=4398046511104
#include "common/cudart.h"

int main() {
  void *held, *more;
  // @CREATED
  OK(cudaMalloc(&held, 1 << 20));
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 20;
#endif
  // @HERE
  if (cudaMalloc(&more, bytes) == cudaSuccess) OK(cudaFree(more));
  OK(cudaFree(held));
  Close();
}
