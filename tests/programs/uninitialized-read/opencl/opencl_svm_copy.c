// Defect: Shared memory that nothing has written is copied.
// Fix: Shared memory is filled and copied.
// EXPECT warning uninitialized-read clEnqueueSVMMemcpy at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  void* from = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  void* to = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (from == NULL || to == NULL) abort();
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueSVMMemFill(queue, from, &zero, sizeof(zero), 4096, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, to);
  clSVMFree(context, from);
  Close();
}
