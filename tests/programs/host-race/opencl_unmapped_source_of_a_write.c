// Defect: A write to another buffer reads a mapped region on one queue, and another queue unmaps the region without
// waiting for the write.
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
  for (int i = 0; i < 3; ++i) {
    void* mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
    cl_event written;
    // @WRITE
    OK(clEnqueueWriteBuffer(copies, target, CL_FALSE, 0, kBytes, mapped, 0, NULL, &written));
    OK(clFlush(copies));
#ifdef DEFECT
    if (i != 1) OK(clWaitForEvents(1, &written));
    // @HERE
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
#else
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 1, &written, NULL));
#endif
    OK(clFinish(queue));
    OK(clFinish(copies));
    OK(clReleaseEvent(written));
    // On the queue of the map nothing is to be waited for.
    mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, target, CL_FALSE, 0, kBytes, mapped, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  CLOSE(staging, target, copies);
}
