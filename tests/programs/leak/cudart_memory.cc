// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cudaMalloc at CREATED
#include "common/cudart.h"

int main() {
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaMemset(buffer, 0, 4096));
#ifndef DEFECT
  OK(cudaFree(buffer));
#endif
  Close();
}
