// A kernel's float argument is set from a double.
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_SIZE at HERE
// EXPECT-TEXT argument 1
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
  const cl_double factor = 2;
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  OK(clReleaseKernel(kernel));
  Close();
}
