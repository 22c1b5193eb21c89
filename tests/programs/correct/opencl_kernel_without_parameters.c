// The compiler of the driver rejects a kernel without parameters if it has to describe parameters. The program does not ask for
// that at first. When it does, the build fails, and the program builds again without.
// EXPECT note call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE
#include "common/extensions.h"

static void Run(cl_program program) {
  cl_kernel kernel = MADE(clCreateKernel(program, "nothing", &error));
  const size_t items = 16;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

int main(void) {
  OpenExtensions(0);
  const char* source = "kernel void nothing() { if (get_global_id(0) == 99) printf(\"%d\", 1); }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  Run(program);
  if (clBuildProgram(program, 1, &device, "-cl-kernel-arg-info", NULL, NULL) != CL_SUCCESS)
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  Run(program);
  OK(clReleaseProgram(program));
  Close();
}
