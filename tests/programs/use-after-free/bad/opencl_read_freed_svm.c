// Shared virtual memory is copied from after it was freed.
// EXPECT error use-after-free clEnqueueSVMMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  // @CREATED
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL));
  // @RELEASED
  clSVMFree(context, shared);
  // @HERE
  clEnqueueSVMMemcpy(queue, CL_TRUE, data, shared, sizeof(data), 0, NULL, NULL);
  Close();
}
