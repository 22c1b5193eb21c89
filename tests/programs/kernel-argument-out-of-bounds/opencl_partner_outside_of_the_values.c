// Defect: A bitonic sort compares each value with its partner, whose index differs in one bit. The
// buffer has 1000 values, which is no power of two, so that partners are outside.
// Fix: The buffer is padded to 1024 values.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=partners
// EXPECT-FACT last_byte=4095
// EXPECT-FACT outside_bytes=96
#include "common/opencl.h"

static const char kSource[] =
    "kernel void partners(global const uint* in, global uint* out, uint distance) {\n"
    "  uint i = get_global_id(0);\n"
    "  uint mine = in[i], other = in[i ^ distance];\n"
    "  out[i] = (i & distance) == 0 ? min(mine, other) : max(mine, other);\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kValues = 1000, kPadded = 1024 };
  cl_kernel kernel = NewKernel(kSource, "partners");
  // Behind the values there is room for the elements that are outside.
  static cl_uint host[2 * kPadded];
#ifdef DEFECT
  const size_t values = kValues;
#else
  const size_t values = kPadded;
#endif
  const size_t bytes = values * sizeof(cl_uint);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  const cl_uint distance = 512;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(distance), &distance));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &values, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
  Close();
}
