// Defect: A block from malloc is freed by cudaFree.
// Fix: A block from malloc is freed by free.
// EXPECT error mismatched-free cudaFree at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cudart.h"

int main() {
  OK(cudaDeviceSynchronize());
  // @BLOCK
  void* data = malloc(4096);
#ifdef DEFECT
  // @HERE
  cudaFree(data);
#endif
  free(data);
  Close();
}
