// Defect: The pointer to a mapped region is freed.
// Fix: The region is unmapped.
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY map at MAPPED
// EXPECT-PARTY allocation at CREATED
// EXIT any
// MAY leak
// MAY host-free-in-flight
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 1 << 20, NULL, &error));
  // @MAPPED
  void* data = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 1 << 20, 0, NULL, NULL, &error));
#ifdef DEFECT
  // @HERE
  free(data);
  _Exit(0);
#endif
  OK(clEnqueueUnmapMemObject(queue, buffer, data, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
