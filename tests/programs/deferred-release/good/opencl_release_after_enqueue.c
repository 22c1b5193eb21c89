// Buffers are released when the command that uses them has ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[256 * 1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  for (int i = 0; i < 8; ++i) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(buffer));
  }
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
  Close();
}
