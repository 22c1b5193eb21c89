// Defect: A kernel is created from a program that was never built.
// Fix: The program is built first.
// EXPECT warning call-failed clCreateKernel CL_INVALID_PROGRAM_EXECUTABLE at HERE
// EXPECT-TEXT program was not built
// EXPECT-TEXT build the program, and check the result of the build, before clCreateKernel
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifndef DEFECT
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
#endif
  // @HERE
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  CLOSE(program);
}
