// Defect: A kernel clamps the index of the next element to the number of elements, which is one too large.
// Fix: The greatest index is one less.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=smooth
// EXPECT-FACT outside_bytes=4
#include "common/opencl.h"

static const char kSource[] =
    "kernel void smooth(global const float* in, global float* out, int n) {\n"
    "  int i = get_global_id(0);\n"
#ifdef DEFECT
    "  out[i] = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n)];\n"
#else
    "  out[i] = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)];\n"
#endif
    "}\n";

int main(void) {
  Open(0);
  cl_kernel smooth = NewKernel(kSource, "smooth");
  static cl_float host[600];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 512 * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 512 * sizeof(cl_float), NULL, &error));
  const cl_int n = 512;
  OK(clSetKernelArg(smooth, 0, sizeof(in), &in));
  OK(clSetKernelArg(smooth, 1, sizeof(out), &out));
  OK(clSetKernelArg(smooth, 2, sizeof(n), &n));
  const size_t items = 512;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, smooth, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, smooth);
}
