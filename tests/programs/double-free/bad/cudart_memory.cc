// Device memory is freed twice.
// EXPECT error double-free cudaFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cudart.h"

int main() {
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  // @RELEASED
  OK(cudaFree(buffer));
  // @HERE
  cudaFree(buffer);
  Close();
}
