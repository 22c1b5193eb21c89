// A buffer and its kernel are released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = 7; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "fill", &error));
  OK(clReleaseProgram(program));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  Close();
}
