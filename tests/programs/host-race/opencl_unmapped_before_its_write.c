// Defect: A write reads a mapped region after a user event, and the program unmaps the region before it sets the event.
// Fix: The unmap waits for the write.
// EXPECT error host-race clEnqueueUnmapMemObject at HERE
// EXPECT-PARTY pending-command at WRITE
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kBytes = 4096 };
  cl_command_queue copies = NewQueue(0);
  static cl_int values[kBytes / sizeof(cl_int)];
  cl_mem staging =
      MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, kBytes, values, &error));
  cl_mem target = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_event ready = MADE(clCreateUserEvent(context, &error)), written;
  void* mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
  // @WRITE
  OK(clEnqueueWriteBuffer(copies, target, CL_FALSE, 0, kBytes, mapped, 1, &ready, &written));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
#else
  OK(clEnqueueUnmapMemObject(queue, staging, mapped, 1, &written, NULL));
#endif
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clFinish(copies));
  OK(clFinish(queue));
  CLOSE(written, ready, target, staging, copies);
}
