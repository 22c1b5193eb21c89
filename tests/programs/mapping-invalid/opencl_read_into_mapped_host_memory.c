// Defect: While a buffer is mapped, it is read into the host memory that it uses.
// Fix: The program unmaps the buffer before the read.
// EXPECT error mapping-invalid clEnqueueReadBuffer at HERE
// EXPECT-TEXT own host memory
// EXPECT-PARTY map at MAP
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kBytes = 4096 };
  void* memory = aligned_alloc(4096, kBytes);
  memset(memory, 1, kBytes);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, memory, &error));
  // @MAP
  void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
#ifdef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  free(memory);
  Close();
}
