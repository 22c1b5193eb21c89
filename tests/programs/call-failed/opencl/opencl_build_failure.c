// Defect: A program does not compile.
// Fix: A program compiles.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at HERE
// EXPECT-TEXT the build log:\n(?:.*\n)*error: .*: use of undeclared identifier 'factor'
// EXPECT-TEXT correct the source or the options as the build log says
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = factor; }";
#else
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @HERE
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  CLOSE(program);
}
