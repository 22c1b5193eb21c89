// A rectangle of a sub-buffer is read; the parent lets the host read.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
  cl_mem parent = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const cl_buffer_region part = {1024, 1024};
  cl_mem half = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  const size_t region[3] = {16, 16, 1};
  clEnqueueReadBufferRect(queue, half, CL_TRUE, kOrigin, kOrigin, region, 32, 0, 16, 0, data, 0,
                          NULL, NULL);
  OK(clReleaseMemObject(half));
  OK(clReleaseMemObject(parent));
  Close();
}
