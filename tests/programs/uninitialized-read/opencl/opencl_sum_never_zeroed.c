// Defect: A kernel adds to a sum that nothing has set.
// Fix: The sum is set to 0 before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1 .*, buffer .*atomically from byte 0 on
#include "common/opencl.h"

static const char kSource[] =
    "kernel void total(global const int* values, volatile global int* sum) {"
    "  atomic_add(sum, values[get_global_id(0)]);"
    "}";

int main(void) {
  Open(0);
  static int values[1024];
  const size_t global = 1024;
  const cl_int zero = 0;
  cl_kernel kernel = NewKernel(kSource, "total");
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem sum = MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(sum), &sum));
#ifndef DEFECT
  OK(clEnqueueFillBuffer(queue, sum, &zero, sizeof(zero), 0, sizeof(zero), 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  // It has a value now.
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  cl_int result = zero;
  OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL));
  CLOSE(sum, in, kernel);
}
