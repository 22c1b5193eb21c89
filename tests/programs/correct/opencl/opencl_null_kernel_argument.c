// NULL is a value that a kernel may get for a buffer, and that it may look at.
#include "common/opencl.h"

int main(void) {
  Open(0);
  int result[64];
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* out, global const int* optional) {"
      "  out[get_global_id(0)] = optional ? optional[get_global_id(0)] : 7;"
      "}",
      "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_mem none = NULL;
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(none), &none));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  CLOSE(out, kernel);
}
