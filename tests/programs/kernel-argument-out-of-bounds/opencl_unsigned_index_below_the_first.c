// Defect: Each work item subtracts the value in front of its own, by an index without a sign. In
// front of the first value there is none: the index is then the greatest one of 32 bits.
// Fix: The launch begins with the second value.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=differences
// EXPECT-FACT last_byte=17179869183
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void differences(global const float* in, global float* out) {\n"
    "  uint i = get_global_id(0);\n"
    "  out[i] = in[i] - in[i - 1];\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kValues = 1024 };
  cl_kernel kernel = NewKernel(kSource, "differences");
  static cl_float host[kValues];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(host), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
#ifdef DEFECT
  const size_t first = 0;
#else
  const size_t first = 1;
#endif
  const size_t items = kValues - first;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, &first, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, in, out);
}
