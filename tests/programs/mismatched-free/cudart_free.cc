// Defect of_device_memory: Device memory is freed by free.
// EXPECT error mismatched-free free at FREE_DEVICE
// EXPECT-PARTY allocation at DEVICE
// EXIT any
// Defect of_managed_memory: Managed memory is freed by free.
// EXPECT error mismatched-free free at FREE_MANAGED
// EXPECT-PARTY allocation at MANAGED
// EXIT any
// Defect of_malloc: A block from malloc is freed by cudaFree.
// EXPECT error mismatched-free cudaFree at FREE_BLOCK
// EXPECT-PARTY host-block at BLOCK
// Defect of_page_locked_memory: Page-locked memory is freed by cudaFree.
// EXPECT error mismatched-free cudaFree at FREE_LOCKED
// EXPECT-PARTY allocation at LOCKED
// Fix: Each kind of memory is freed by its own function.
#include "common/cudart.h"

int main() {
  void *device_memory, *managed, *locked;
  // @DEVICE
  OK(cudaMalloc(&device_memory, 4096));
  // @MANAGED
  OK(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal));
  // @LOCKED
  OK(cudaMallocHost(&locked, 4096));
  // @BLOCK
  void* block = malloc(4096);
#ifdef DEFECT_of_device_memory
  // @FREE_DEVICE
  free(device_memory);
#elif defined(DEFECT_of_managed_memory)
  // @FREE_MANAGED
  free(managed);
#elif defined(DEFECT_of_malloc)
  // @FREE_BLOCK
  cudaFree(block);
#elif defined(DEFECT_of_page_locked_memory)
  // @FREE_LOCKED
  cudaFree(locked);
#endif
  OK(cudaFree(device_memory));
  OK(cudaFree(managed));
  OK(cudaFreeHost(locked));
  free(block);
  Close();
}
