// A kernel is asked for that the program has.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  const char* name = "scale";
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error == CL_SUCCESS) OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  Close();
}
