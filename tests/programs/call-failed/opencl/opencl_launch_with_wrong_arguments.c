// Defect: Launches lack an argument, and have an offset below 0.
// Fix: All arguments are set, and the offset is 0.
#include "common/opencl.h"

// Defect: A kernel is launched with one of its arguments not set.
// Fix: A kernel is launched with all of its arguments set.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_KERNEL_ARGS at HERE
// EXPECT-TEXT scale
// EXPECT-TEXT set argument 1 of the kernel before clEnqueueNDRangeKernel
static void ArgumentNotSet(void) {
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
  RELEASE(kernel, out);
}

// Defect: The offset of a launch is computed below 0.
// Fix: The offset is 0.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE_2
// EXPECT-TEXT their sum exceeds the largest size_t
// EXPECT-FACT kernel=fill
static void OffsetWrapsAround(void) {
  cl_kernel fill = NewKernel("kernel void fill(global int* out) { out[get_local_id(0) & 15] = 7; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  const size_t items = 64;
#ifdef DEFECT
  const size_t halo = 16;
#else
  const size_t halo = 0;
#endif
  const size_t offset = 0 - halo;
  // @HERE_2
  clEnqueueNDRangeKernel(queue, fill, 1, &offset, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(out, fill);
}

int main(void) {
  Open(0);
  ArgumentNotSet();
  OffsetWrapsAround();
  Close();
}
