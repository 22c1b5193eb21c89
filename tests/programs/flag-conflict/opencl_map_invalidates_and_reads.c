// Defect: A region is mapped for reading, and its content is invalidated.
// Fix: It is mapped for reading and writing.
// EXPECT error flag-conflict clEnqueueMapBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
#ifdef DEFECT
  const cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
#else
  const cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE;
#endif
  // @HERE
  void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, sizeof(data), 0, NULL, NULL, &error);
  if (mapped != NULL) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
