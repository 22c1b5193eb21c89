// An allocation succeeds, and its pointer is copied to.
#include "common/cudart.h"

int main() {
  static char data[4096];
  const size_t bytes = (size_t)1 << 12;
  void* buffer = nullptr;
  cudaMalloc(&buffer, bytes);
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
  if (buffer) OK(cudaFree(buffer));
  Close();
}
