// Defect: Shared virtual memory is freed twice.
// Fix: Shared virtual memory is freed once.
// EXPECT error double-free clSVMFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT
  // @HERE
  clSVMFree(context, shared);
#endif
  Close();
}
