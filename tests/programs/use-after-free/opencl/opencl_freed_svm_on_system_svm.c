// Defect: Shared virtual memory is mapped after it was freed. The device accepts any host pointer, but this one points to no
// memory of the program.
// Fix: Shared virtual memory is mapped before it is freed.
// EXPECT error use-after-free clEnqueueSVMMap at MAP
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/extensions.h"

enum { kBytes = 64 * 1024 };

int main(void) {
  OpenWithSystemSvm(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
#ifdef DEFECT
  // @RELEASED
  clSVMFree(context, shared);
#endif
  // @MAP
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, kBytes, 0, NULL, NULL);
#ifndef DEFECT
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
  clFinish(queue);
  clSVMFree(context, shared);
#endif
  Close();
}
