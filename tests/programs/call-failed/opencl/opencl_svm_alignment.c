// Defect: Shared virtual memory is allocated with an alignment that is not a power of two.
// Fix: The alignment is a power of two.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE
// EXPECT-TEXT alignment is 48, which is not a power of two
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_uint alignment = 48;
#else
  const cl_uint alignment = 64;
#endif
  // @HERE
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, alignment);
  if (shared != NULL) clSVMFree(context, shared);
  Close();
}
