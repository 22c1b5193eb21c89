// Defect: The CPU writes coarse-grained shared memory while a copy from it is pending.
// Fix: The CPU maps the memory first, which waits for the copy.
// OPTION --protect-maps
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY pending-command at COPY
// EXPECT-FACT hazard=WAR
#include "common/opencl.h"

enum { kBytes = 65536 };

int main(void) {
  Open(0);
  const cl_int one = 1;
  char* from = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  char* to = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (from == NULL || to == NULL) exit(77);
  OK(clEnqueueSVMMemFill(queue, from, &one, sizeof(one), kBytes, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @COPY
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, kBytes, 0, NULL, NULL));
#ifdef DEFECT
  // @WRITE
  *(volatile char*)(from + 20000) = 2;
  OK(clSetUserEventStatus(start, CL_COMPLETE));
#else
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, from, kBytes, 0, NULL, NULL));
  *(volatile char*)(from + 20000) = 2;
  OK(clEnqueueSVMUnmap(queue, from, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(start));
  clSVMFree(context, to);
  clSVMFree(context, from);
  Close();
}
