// Defect: The program asks the compiler to describe the parameters of a kernel without parameters, which this compiler rejects.
// Fix: It builds without the option.
// EXPECT note call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  const char* source = "kernel void nothing() { if (get_global_id(0) == 99) printf(\"%d\", 1); }";
  const char* options = "";
#ifdef DEFECT
  options = "-cl-kernel-arg-info";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "nothing", &error));
  const size_t items = 16;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, program);
}
