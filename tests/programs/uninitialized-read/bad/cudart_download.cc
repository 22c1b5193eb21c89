// Memory is downloaded that nothing has written.
// EXPECT error uninitialized-read cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  static char result[4096];
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  // @HERE
  OK(cudaMemcpy(result, buffer, 4096, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  Close();
}
