// A kernel's float argument is set from a float.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
  const cl_float factor = 2;
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  OK(clReleaseKernel(kernel));
  Close();
}
