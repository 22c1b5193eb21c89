// A pointer is used before the device is reset.
#include "common/cudart.h"

int main() {
  static char data[4096];
  void* buffer;
  OK(cudaMalloc(&buffer, 4096));
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  OK(cudaDeviceReset());
}
