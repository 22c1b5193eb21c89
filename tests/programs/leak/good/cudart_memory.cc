// Device memory is freed.
#include "common/cudart.h"

int main() {
  void* buffer;
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaMemset(buffer, 0, 4096));
  OK(cudaFree(buffer));
  Close();
}
