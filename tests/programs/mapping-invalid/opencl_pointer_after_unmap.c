// Defect: A write takes its data from a mapped region after the region was unmapped.
// Fix: The region is unmapped after the write.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE
// EXPECT-PARTY map at MAPPED
// EXPECT-PARTY unmap at UNMAPPED
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @MAPPED
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_WRITE, 0, 8192, 0, NULL, NULL, &error));
  memset(data, 1, 8192);
#ifdef DEFECT
  // @UNMAPPED
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 4096, data + 1024, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(to, from);
}
