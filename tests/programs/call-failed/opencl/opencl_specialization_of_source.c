// Defect: A specialization constant is set in a program from OpenCL C source, which has none.
// Fix: The value is a macro of the build options.
// EXPECT warning call-failed clSetProgramSpecializationConstant at HERE
// EXPECT-TEXT created from OpenCL C source
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = VALUE; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT
  const cl_int value = 7;
  // @HERE
  clSetProgramSpecializationConstant(program, 0, sizeof(value), &value);
#endif
  OK(clBuildProgram(program, 1, &device, "-DVALUE=7", NULL, NULL));
  CLOSE(program);
}
