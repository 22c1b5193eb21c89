// A fill counts bytes.
#include "common/cudart.h"

int main() {
  const size_t bytes = 1024 * sizeof(float);
  float* buffer;
  OK(cudaMalloc((void**)&buffer, bytes));
  const size_t filled = bytes;
  cudaMemset(buffer, 0, filled);
  OK(cudaFree(buffer));
  Close();
}
