// Objects are released while a user event is not set: none of them is used by a command that waits for it.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_context second = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  const cl_int one = 1;
  cl_mem used = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem unused = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(other, unused, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  OK(clFinish(other));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(queue, used, &one, sizeof(one), 0, 4096, 1, &start, &filled));
  OK(clReleaseMemObject(unused));
  OK(clReleaseCommandQueue(other));
  OK(clReleaseContext(second));
  OK(clRetainMemObject(used));
  OK(clReleaseMemObject(used));
  OK(clReleaseEvent(filled));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clReleaseMemObject(used));
  OK(clFinish(queue));
  CLOSE(start);
}
