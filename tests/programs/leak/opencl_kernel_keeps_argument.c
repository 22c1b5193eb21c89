// Defect: A buffer and its kernel are never released; the kernel's argument holds the buffer too.
// Fix: A buffer and its kernel are released.
// EXPECT error leak clCreateBuffer at CREATED
// EXPECT-TEXT argument 0 of kernel
// EXPECT warning leak clCreateKernel at KERNEL
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = 7; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  // @KERNEL
  cl_kernel kernel = MADE(clCreateKernel(program, "fill", &error));
  OK(clReleaseProgram(program));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @ARGUMENT
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
#ifndef DEFECT
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
