// The allocation is as long as the model that is copied to it.
#include "common/cudart.h"

int main() {
  enum { n = 4096 };
  static float model[n];
  const size_t bytes = n * sizeof(float);
  float* buffer;
  OK(cudaMalloc((void**)&buffer, bytes));
  cudaMemcpy(buffer, model, n * sizeof(float), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  Close();
}
