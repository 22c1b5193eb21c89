// A copy ends at the end of its destination.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
  const size_t offset = 0;
  clEnqueueCopyBuffer(queue, from, to, 0, offset, 2048, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(to));
  OK(clReleaseMemObject(from));
  Close();
}
