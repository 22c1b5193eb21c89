// Shared virtual memory is freed twice.
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
  // @HERE
  clSVMFree(context, shared);
  Close();
}
