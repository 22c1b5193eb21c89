// Page-locked memory is freed by cudaFree.
// EXPECT error mismatched-free cudaFree at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  void* data;
  // @CREATED
  OK(cudaMallocHost(&data, 4096));
  // @HERE
  cudaFree(data);
  OK(cudaFreeHost(data));
  Close();
}
