// Defect: Shared virtual memory is mapped and moved after it was freed.
// Fix: Shared virtual memory is mapped and moved before it is freed.
// EXPECT error use-after-free clEnqueueSVMMap at MAP
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT error use-after-free clEnqueueSVMMigrateMem at MOVE
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
#ifdef DEFECT
  // @RELEASED
  clSVMFree(context, shared);
#endif
  // @MAP
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 8192, 0, NULL, NULL);
#ifndef DEFECT
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
#endif
  // @MOVE
  clEnqueueSVMMigrateMem(queue, 1, (const void**)&shared, NULL, 0, 0, NULL, NULL);
  clFinish(queue);
#ifndef DEFECT
  clSVMFree(context, shared);
#endif
  Close();
}
