// Defect: Shared virtual memory is never freed.
// Fix: Shared virtual memory is freed.
// EXPECT error leak clSVMAlloc at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
#ifndef DEFECT
  clSVMFree(context, shared);
#endif
  Close();
}
