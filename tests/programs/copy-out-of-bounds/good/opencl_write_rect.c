// The last row of a rectangle is the last row of the buffer.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[64 * 64];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const size_t rows = 32;
  const size_t region[3] = {64, rows, 1};
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, 64, 0, data, 0,
                           NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
