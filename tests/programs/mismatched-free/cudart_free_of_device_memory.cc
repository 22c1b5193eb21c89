// Defect: Device memory is freed by free.
// Fix: Device memory is freed by cudaFree.
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/cudart.h"

int main() {
  void* data = nullptr;
  // @CREATED
  OK(cudaMalloc(&data, 4096));
#ifdef DEFECT
  // @HERE
  free(data);
#endif
  OK(cudaFree(data));
  Close();
}
