// Defect: A program with many errors is built, so that the build log is long.
// Fix: The source has no errors.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at HERE
// EXPECT-TEXT correct the source or the options as the build log says
#include "common/opencl.h"

enum { kLines = 200, kLongest = 64 };

int main(void) {
  Open(0);
  static char text[kLines * kLongest + kLongest];
  size_t end = (size_t)sprintf(text, "kernel void set(global int* data) {\n");
  for (int i = 0; i < kLines; ++i) {
#ifdef DEFECT
    end += (size_t)sprintf(text + end, "  undeclared_name_%d[0] = 1;\n", i);
#else
    end += (size_t)sprintf(text + end, "  data[0] = %d;\n", i);
#endif
  }
  sprintf(text + end, "}\n");
  const char* source = text;
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @HERE
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  CLOSE(program);
}
