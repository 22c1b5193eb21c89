// A buffer is larger than its data, and the kernel is launched for the data: nothing is used that
// was not written.
#include "common/opencl.h"

int main(void) {
  Open(0);
  float data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, 0, 4 * sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 4 * sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%g\n", result[63]);
  CLOSE(out, in, kernel);
}
