// The host block of a write that does not block is freed when the write has ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  char* data = calloc(1, 8192);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 1, &gate, NULL));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  free(data);
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(buffer));
  Close();
}
