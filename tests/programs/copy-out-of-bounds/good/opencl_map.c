// A mapping ends at the end of the buffer.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const size_t offset = 0;
  void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, 4096, 0, NULL, NULL, &error);
  if (error == CL_SUCCESS) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
