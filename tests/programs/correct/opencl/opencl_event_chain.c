// An out-of-order queue whose commands are ordered by events alone: write, kernel, copy, read.
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
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  cl_event written, doubled, copied;
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &written, &doubled));
  OK(clEnqueueCopyBuffer(queue, out, copy, 0, 0, sizeof(data), 1, &doubled, &copied));
  OK(clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, sizeof(result), result, 1, &copied, NULL));
  printf("%d %d\n", result[1], result[63]);
  OK(clReleaseEvent(copied));
  CLOSE(doubled, written, copy, out, in, kernel);
}
