// Defect: A program is created from a list of strings that is NULL.
// Fix: The list holds the source.
// EXPECT error invalid-pointer clCreateProgramWithSource at HERE
// EXPECT-FACT argument=strings
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char** strings = NULL;
#else
  const char* source = "kernel void one(global int* out) { out[0] = 1; }";
  const char** strings = &source;
#endif
  // @HERE
  cl_program program = clCreateProgramWithSource(context, 1, strings, NULL, &error);
  if (program != NULL) OK(clReleaseProgram(program));
  Close();
}
