// Defect: A reduction in place adds the upper half of the values to the lower half, and halves the
// number of values until one is left. The host passes the number of values as the first half.
// Fix: The host passes half the number of values.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=reduce
// EXPECT-FACT last_byte=8191
// EXPECT-FACT outside_bytes=4096
#include "common/opencl.h"

static const char kSource[] =
    "kernel void reduce(global float* values, int first) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int distance = first; distance > 0; distance >>= 1) {\n"
    "    if (i < distance) values[i] += values[i + distance];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  }\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kValues = 1024 };
  cl_kernel kernel = NewKernel(kSource, "reduce");
  // Behind the values there is room for the elements that are outside.
  static cl_float host[2 * kValues];
  cl_mem values =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
#ifdef DEFECT
  const cl_int first = kValues;
#else
  const cl_int first = kValues / 2;
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  OK(clSetKernelArg(kernel, 1, sizeof(first), &first));
  const size_t items = kValues;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, values);
}
