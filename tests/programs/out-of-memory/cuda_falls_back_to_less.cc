// Defect: The program finds out how much memory it gets by halving its request until it succeeds.
// Fix: The program asks for as much memory as it needs.
// EXPECT note out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE
// EXPECT-COUNT any
// EXPECT-TEXT the program then allocated
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  size_t bytes = (size_t)1 << 42;
#else
  size_t bytes = (size_t)1 << 20;
#endif
  CUdeviceptr memory;
  for (;; bytes /= 2) {
    // @HERE
    if (cuMemAlloc(&memory, bytes) == CUDA_SUCCESS) break;
  }
  Close(memory);
}
