// Defect: A kernel adds to a vector that nothing has written.
// Fix: The vector is set to 0 before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-TEXT updates argument 2 .*, buffer .*, from byte 0 on, but nothing has written these bytes
#include "common/opencl.h"

static const char kSource[] =
    "kernel void saxpy(float a, global const float* x, global float* y, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n) y[i] += a * x[i];"
    "}";

int main(void) {
  Open(0);
  static float values[1024];
  const size_t global = 1024;
  const cl_float factor = 2;
  const cl_int count = 1024;
  cl_kernel kernel = NewKernel(kSource, "saxpy");
  cl_mem x = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem y = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
#ifndef DEFECT
  const cl_float zero = 0;
  OK(clEnqueueFillBuffer(queue, y, &zero, sizeof(zero), 0, sizeof(values), 0, NULL, NULL));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(factor), &factor));
  OK(clSetKernelArg(kernel, 1, sizeof(x), &x));
  OK(clSetKernelArg(kernel, 2, sizeof(y), &y));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, y, x);
}
