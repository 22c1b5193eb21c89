// Defect: Local memory of a kernel gets a value, and then no size.
// Fix: Local memory of a kernel gets a size only.
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_VALUE at VALUE
// EXPECT-TEXT arg_value is not NULL, but the parameter is local memory
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_SIZE at SIZE
// EXPECT-TEXT arg_size is 0, but the parameter is local memory
// EXPECT warning call-failed clBuildProgram CL_INVALID_VALUE at BUILD
// EXPECT-TEXT num_devices is 1, but device_list is NULL
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel("kernel void use(local int* shared_by_group) { shared_by_group[get_local_id(0)] = 1; }",
                               "use");
  const char* source = "kernel void nothing(int value) {}";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT
  const int value = 1;
  // @VALUE
  clSetKernelArg(kernel, 0, 256, &value);
  // @SIZE
  clSetKernelArg(kernel, 0, 0, NULL);
  // @BUILD
  clBuildProgram(program, 1, NULL, NULL, NULL, NULL);
#else
  OK(clSetKernelArg(kernel, 0, 256, NULL));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#endif
  CLOSE(program, kernel);
}
