// Defect: The creation of a kernel fails. The program ignores the error and sets the arguments of
// the kernel.
// Fix: The name of the kernel exists.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at FAILED
// EXPECT error error-ignored clSetKernelArg at HERE
// EXPECT-PARTY failed-call at FAILED
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source =
      "kernel void scale(global float* out, float f) { out[get_global_id(0)] = f; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#ifdef DEFECT
  const char* name = "scael";
#else
  const char* name = "scale";
#endif
  // @FAILED
  cl_kernel kernel = clCreateKernel(program, name, &error);
  const cl_float factor = 2;
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  if (kernel) OK(clReleaseKernel(kernel));
  CLOSE(program);
}
