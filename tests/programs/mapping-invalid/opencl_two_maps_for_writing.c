// Defect: Two overlapping regions of a buffer are mapped for writing at the same time.
// Fix: The regions adjoin.
// EXPECT error mapping-invalid clEnqueueMapBuffer at HERE
// EXPECT-PARTY map at FIRST
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @FIRST
  void* first = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
#ifdef DEFECT
  const size_t begin = 2048;
#else
  const size_t begin = 4096;
#endif
  // @HERE
  void* second = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, begin, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, second, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
