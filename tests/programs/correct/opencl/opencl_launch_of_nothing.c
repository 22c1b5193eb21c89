// A launch of no work items touches none of its arguments: what another queue does to them is no race, and it fills
// nothing.
#include "common/opencl.h"

static const char kSource[] = "kernel void fill(global int* to) { to[get_global_id(0)] = 1; }";

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  static int data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel(kSource, "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t nothing = 0;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &nothing, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  CLOSE(kernel, buffer, other);
}
