// Defect: The result of the build is ignored, and the build fails: its source has an error.
// Fix: The source has no error.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at BUILD
// EXPECT warning call-failed clCreateKernel CL_INVALID_PROGRAM_EXECUTABLE at HERE
// EXPECT-TEXT the last build of program failed
// EXPECT-TEXT build the program, and check the result of the build, before clCreateKernel
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = one; }";
#else
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @BUILD
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  // @HERE
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  CLOSE(program);
}
