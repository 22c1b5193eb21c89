// A pointer is used that a reset of the device has taken away.
// EXPECT error use-after-free cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT error leak cudaMalloc at CREATED
#include "common/cudart.h"

int main() {
  static char data[4096];
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaDeviceReset());
  // @HERE
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
}
