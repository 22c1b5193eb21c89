// A kernel is created by its name.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source =
      "kernel void scale(global float* out, float f) { out[get_global_id(0)] = f; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  const char* name = "scale";
  cl_kernel kernel = clCreateKernel(program, name, &error);
  const cl_float factor = 2;
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  if (kernel) OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  Close();
}
