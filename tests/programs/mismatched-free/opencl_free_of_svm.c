// Defect: Shared virtual memory is freed with free().
// Fix: Shared virtual memory is freed with clSVMFree.
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
#ifdef DEFECT
  // @HERE
  free(shared);
#else
  clSVMFree(context, shared);
#endif
  Close();
}
