// Defect: The stages of a transform of 64 values are numbered from 0, but the host also runs stage
// 6. The butterflies of that stage pair values that are 64 elements apart.
// Fix: The last stage is number 5.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=stage
// EXPECT-FACT outside_bytes=128
#include "common/opencl.h"

static const char kSource[] =
    "kernel void stage(global float* values, uint number) {\n"
    "  uint i = get_global_id(0), half_size = 1u << number;\n"
    "  uint low = i & (half_size - 1);\n"
    "  uint first = ((i - low) << 1) + low, second = first + half_size;\n"
    "  float a = values[first], b = values[second];\n"
    "  values[first] = a + b;\n"
    "  values[second] = a - b;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kValues = 64 };
  cl_kernel kernel = NewKernel(kSource, "stage");
  static cl_float host[4 * kValues];
  cl_mem values =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  const size_t items = kValues / 2;
#ifdef DEFECT
  const cl_uint stages = 7;
#else
  const cl_uint stages = 6;
#endif
  for (cl_uint stage = 0; stage < stages; ++stage) {
    OK(clSetKernelArg(kernel, 1, sizeof(stage), &stage));
    // @HERE
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  OK(clReleaseMemObject(values));
  OK(clReleaseKernel(kernel));
  Close();
}
