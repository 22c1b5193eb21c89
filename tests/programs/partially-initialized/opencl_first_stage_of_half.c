// Defect: The first kernel makes half of the values, and the second one takes all of them.
// Fix: The first kernel makes all values.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=take
// EXPECT-FACT argument=0
// EXPECT-FACT gap_begin=2048
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kItems = 1024 };
  cl_kernel make = NewKernel("kernel void make(global float* out) { out[get_global_id(0)] = 1; }", "make");
  cl_kernel take = NewKernel(
      "kernel void take(global const float* in, global float* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = 2 * in[i];"
      "}",
      "take");
  const size_t items = kItems, bytes = kItems * sizeof(float);
  cl_mem values = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  OK(clSetKernelArg(make, 0, sizeof(values), &values));
  OK(clSetKernelArg(take, 0, sizeof(values), &values));
  OK(clSetKernelArg(take, 1, sizeof(out), &out));
#ifdef DEFECT
  const size_t made = kItems / 2;
#else
  const size_t made = kItems;
#endif
  OK(clEnqueueNDRangeKernel(queue, make, 1, NULL, &made, NULL, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, take, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, values, take, make);
}
