// Defect: Page-locked memory is freed by cudaFree.
// Fix: Page-locked memory is freed by cudaFreeHost.
// EXPECT error mismatched-free cudaFree at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  void* data;
  // @CREATED
  OK(cudaMallocHost(&data, 4096));
#ifdef DEFECT
  // @HERE
  cudaFree(data);
#endif
  OK(cudaFreeHost(data));
  Close();
}
