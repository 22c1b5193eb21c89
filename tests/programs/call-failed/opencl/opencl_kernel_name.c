// Defect: The program creates a kernel whose name is not in the OpenCL program.
// Fix: The name is in the OpenCL program.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at HERE
// EXPECT-TEXT kernel_name "scael" is no kernel of the program; the program has "scale"
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#ifdef DEFECT
  const char* name = "scael";
#else
  const char* name = "scale";
#endif
  // @HERE
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error == CL_SUCCESS) OK(clReleaseKernel(kernel));
  CLOSE(program);
}
