// Defect: Managed memory is freed by free.
// Fix: Managed memory is freed by cudaFree.
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/cudart.h"

int main() {
  void* data = nullptr;
  // @CREATED
  OK(cudaMallocManaged(&data, 4096, cudaMemAttachGlobal));
#ifdef DEFECT
  // @HERE
  free(data);
#endif
  OK(cudaFree(data));
  Close();
}
