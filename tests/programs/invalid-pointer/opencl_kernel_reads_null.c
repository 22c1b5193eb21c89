// Defect: A kernel reads its input, for which the program passes NULL.
// Fix: The program passes a buffer. NULL is a value of the second input, with which the kernel compares it.
// EXPECT error invalid-pointer clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global const int* more, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + (more ? more[i] : 1);"
      "}",
      "add");
  static const cl_int values[64];
  const size_t items = 64, none = 0;
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), (void*)values, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
  cl_mem null = NULL;
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), NULL));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  // A launch without work-items reads nothing.
  OK(clSetKernelArg(kernel, 0, sizeof(null), &null));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &none, NULL, 0, NULL, NULL));
#ifndef DEFECT
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(null), &null));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
