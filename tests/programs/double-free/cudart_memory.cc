// Defect: Device memory is freed twice.
// Fix: Device memory is freed once.
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
#ifdef DEFECT
  // @HERE
  cudaFree(buffer);
#endif
  Close();
}
