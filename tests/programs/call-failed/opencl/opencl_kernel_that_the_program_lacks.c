// Defect: Kernels are created by a misspelled name, and from a program that was not built.
// Fix: The name is right, and the program was built.
#include "common/opencl.h"

// Defect: The program creates a kernel whose name is not in the OpenCL program.
// Fix: The name is in the OpenCL program.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at HERE
// EXPECT-TEXT kernel_name "scael" is no kernel of the program; the program has "scale"
static void KernelName(void) {
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
  RELEASE(program);
}

// Defect: A kernel is created from a program that was never built.
// Fix: The program is built first.
// EXPECT warning call-failed clCreateKernel CL_INVALID_PROGRAM_EXECUTABLE at HERE_2
// EXPECT-TEXT program was not built
// EXPECT-TEXT build the program, and check the result of the build, before clCreateKernel
static void KernelOfProgramNotBuilt(void) {
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifndef DEFECT
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
#endif
  // @HERE_2
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

int main(void) {
  Open(0);
  KernelName();
  KernelOfProgramNotBuilt();
  Close();
}
