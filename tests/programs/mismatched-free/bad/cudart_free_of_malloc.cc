// A block from malloc is freed by cudaFree.
// EXPECT error mismatched-free cudaFree at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cudart.h"

int main() {
  OK(cudaDeviceSynchronize());
  // @BLOCK
  void* data = malloc(4096);
  // @HERE
  cudaFree(data);
  free(data);
  Close();
}
