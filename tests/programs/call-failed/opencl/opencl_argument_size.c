// Defect: A kernel's float argument is set from a double.
// Fix: A kernel's float argument is set from a float.
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_SIZE at HERE
// EXPECT-TEXT argument 1
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
#ifdef DEFECT
  const cl_double factor = 2;
#else
  const cl_float factor = 2;
#endif
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  CLOSE(kernel);
}
