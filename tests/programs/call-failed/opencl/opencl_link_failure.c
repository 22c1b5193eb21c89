// Defect: Two compiled programs do not link: both define the same function.
// Fix: Two compiled programs link: they define different functions.
// EXPECT warning call-failed clLinkProgram CL_LINK_PROGRAM_FAILURE at HERE
#include "common/opencl.h"

static cl_program Compiled(const char* source) {
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clCompileProgram(program, 1, &device, NULL, 0, NULL, NULL, NULL, NULL));
  return program;
}

int main(void) {
  Open(0);
#ifdef DEFECT
  cl_program parts[2] = {Compiled("kernel void one(global int* out) { *out = 1; }"),
                         Compiled("kernel void one(global int* out) { *out = 2; }")};
#else
  cl_program parts[2] = {Compiled("kernel void one(global int* out) { *out = 1; }"),
                         Compiled("kernel void two(global int* out) { *out = 2; }")};
#endif
  // @HERE
  cl_program linked = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL, NULL, &error);
  if (linked != NULL) OK(clReleaseProgram(linked));
  CLOSE(parts[0], parts[1]);
}
