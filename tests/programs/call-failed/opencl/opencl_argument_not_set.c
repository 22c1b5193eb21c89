// Defect: A kernel is launched with one of its arguments not set.
// Fix: A kernel is launched with all of its arguments set.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_KERNEL_ARGS at HERE
// EXPECT-TEXT scale
// EXPECT-TEXT set argument 1 of the kernel before clEnqueueNDRangeKernel
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 64 * sizeof(cl_float), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifndef DEFECT
  const cl_float factor = 2;
  OK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
#endif
  const size_t items = 64;
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
