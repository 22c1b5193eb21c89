// The compiler of the driver rejects a kernel without parameters if it has to describe parameters. The program does not ask for
// that.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  const char* source = "kernel void nothing() { if (get_global_id(0) == 99) printf(\"%d\", 1); }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "nothing", &error));
  const size_t items = 16;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, program);
}
