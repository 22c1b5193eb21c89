// The host writes a buffer that it may read and write.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int data[256];
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), NULL, &error));
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
