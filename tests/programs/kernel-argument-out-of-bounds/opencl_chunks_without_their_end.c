// Defect: Each work item sums a chunk of the values up to the smaller one of the chunk's end and
// the count of the values. The host passes the count of the padded values.
// Fix: The host passes the count of the values in the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sums
// EXPECT-FACT last_byte=4095
#include "common/opencl.h"

static const char kSource[] =
    "kernel void sums(global const float* in, global float* out, int per_item, int count) {\n"
    "  int begin = get_global_id(0) * per_item;\n"
    "  float sum = 0;\n"
    "  for (int i = begin; i < min(begin + per_item, count); ++i) sum += in[i];\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kValues = 1000, kPadded = 1024, kItems = 64 };
  cl_kernel kernel = NewKernel(kSource, "sums");
  static cl_float host[2 * kPadded];
  cl_mem in =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(cl_float), NULL, &error));
#ifdef DEFECT
  const cl_int count = kPadded;
#else
  const cl_int count = kValues;
#endif
  const cl_int per_item = kPadded / kItems;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(per_item), &per_item));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = kItems;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
  Close();
}
