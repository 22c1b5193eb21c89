// Defect: A pointer is used that a reset of the device has taken away.
// Fix: A pointer is used before the device is reset.
// EXPECT error use-after-free cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT error leak cudaMalloc at CREATED
#include "common/cudart.h"

int main() {
  static char data[4096];
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
#ifdef DEFECT
  OK(cudaDeviceReset());
  // @HERE
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  OK(cudaDeviceReset());
#endif
}
