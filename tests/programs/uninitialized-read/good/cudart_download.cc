// Memory is filled and downloaded.
#include "common/cudart.h"

int main() {
  static char result[4096];
  void* buffer;
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaMemset(buffer, 0, 4096));
  OK(cudaMemcpy(result, buffer, 4096, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  Close();
}
