// Defect: Memory is downloaded that nothing has written.
// Fix: Memory is filled and downloaded.
// EXPECT warning uninitialized-read cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  static char result[4096];
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
#ifndef DEFECT
  OK(cudaMemset(buffer, 0, 4096));
#endif
  // @HERE
  OK(cudaMemcpy(result, buffer, 4096, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  Close();
}
