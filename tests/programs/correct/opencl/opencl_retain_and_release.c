// Every kind of object is retained and released in pairs, out of order.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel("kernel void fill(global int* out) { out[0] = 7; }", "fill");
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  OK(clRetainMemObject(buffer));
  OK(clRetainCommandQueue(queue));
  OK(clRetainContext(context));
  OK(clRetainKernel(kernel));
  OK(clRetainSampler(sampler));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  OK(clReleaseKernel(kernel));
  OK(clReleaseSampler(sampler));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clRetainEvent(written));
  OK(clReleaseEvent(written));
  OK(clWaitForEvents(1, &written));
  CLOSE(written, sampler, kernel, buffer);
}
