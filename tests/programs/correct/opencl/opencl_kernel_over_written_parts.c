// The output of a kernel is never written by the host, and the input is written in two pieces.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  cl_event pieces[2], doubled;
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 128, 128, data + 32, 0, NULL, &pieces[0]));
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, 128, data, 0, NULL, &pieces[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 2, pieces, &doubled));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 1, &doubled, NULL));
  printf("%d\n", result[63]);
  OK(clReleaseEvent(doubled));
  for (int i = 0; i < 2; ++i) OK(clReleaseEvent(pieces[i]));
  CLOSE(out, in, kernel);
}
