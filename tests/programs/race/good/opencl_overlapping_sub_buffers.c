// Two queues fill the two halves of one buffer.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1, two = 2;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region parts[2] = {{0, 2048}, {2048, 2048}};
  cl_mem low = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[0], &error));
  cl_mem high = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[1], &error));
  OK(clEnqueueFillBuffer(queue, low, &one, sizeof(one), 0, 2048, 0, NULL, NULL));
  OK(clEnqueueFillBuffer(second, high, &two, sizeof(two), 0, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  OK(clReleaseMemObject(high));
  OK(clReleaseMemObject(low));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(second));
  Close();
}
