// Defect of_svm: Shared virtual memory is freed with free().
// EXPECT error mismatched-free free at FREE_SHARED
// EXPECT-PARTY allocation at CREATED
// Defect of_malloc: A block from malloc is freed with clSVMFree.
// EXPECT error mismatched-free clSVMFree at FREE_BLOCK
// EXPECT-PARTY host-block at BLOCK
// Fix: Each memory is freed by its own function.
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @BLOCK
  void* block = malloc(4096);
#ifdef DEFECT_of_svm
  // @FREE_SHARED
  free(shared);
#else
  clSVMFree(context, shared);
#endif
#ifdef DEFECT_of_malloc
  // @FREE_BLOCK
  clSVMFree(context, block);
#else
  free(block);
#endif
  Close();
}
