// Defect: A file with the source was not found, so the program is empty and has no kernel.
// Fix: The source has the kernel.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at HERE
// EXPECT-TEXT the program has no kernels
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
#ifdef DEFECT
  const char* source = "";
#else
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  // @HERE
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  CLOSE(program);
}
