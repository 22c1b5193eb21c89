// A program compiles.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  OK(clReleaseProgram(program));
  Close();
}
