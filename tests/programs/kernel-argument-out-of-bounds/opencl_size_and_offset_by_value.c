// Defect: A structure that is passed by value has the number of elements and the first one. The host
// sets the number to that of the whole buffer, but begins behind its start.
// Fix: The number is that of the elements behind the first one.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT last_byte=4351
// EXPECT-FACT outside_bytes=256
#include "common/opencl.h"

static const char kSource[] =
    "typedef struct { int count, first; } Part;\n"
    "kernel void fill(global float* out, Part part, int2 factors) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < part.count) out[i * factors.x + part.first] = factors.y;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kElements = 1024, kFirst = 64 };
  cl_kernel kernel = NewKernel(kSource, "fill");
  // Behind the buffer there is room for the elements that are outside.
  static cl_float host[kElements + kFirst];
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kElements * sizeof(cl_float), host,
                                   &error));
#ifdef DEFECT
  const cl_int count = kElements;
#else
  const cl_int count = kElements - kFirst;
#endif
  const cl_int part[] = {count, kFirst}, factors[] = {1, 3};
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(part), part));
  OK(clSetKernelArg(kernel, 2, sizeof(factors), factors));
  const size_t items = kElements;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
