// Defect: A pointer is unmapped that was never mapped, and a mapping is undone twice.
// Fix: Each mapping is undone once.
#include "common/opencl.h"

// Defect: The host pointer of a buffer is unmapped that was never mapped.
// Fix: The host pointer of a buffer is unmapped after it was mapped.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE
// EXPECT-PARTY allocation at CREATED
static void UnmapNeverMapped(void) {
  static char data[4096] __attribute__((aligned(4096)));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  void* mapped = data;
#else
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
#endif
  // @HERE
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A mapping is undone twice.
// Fix: A mapping is undone once.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void UnmapTwice(void) {
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE_2
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
#endif
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  UnmapNeverMapped();
  UnmapTwice();
  Close();
}
