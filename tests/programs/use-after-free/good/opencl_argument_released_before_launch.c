// A buffer is released after the launch, which keeps it alive until the kernel has ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
  OK(clReleaseKernel(kernel));
  Close();
}
