// Defect: A program does not compile because a header lacks a declaration. The log is long: the
// finding quotes its beginning.
// Fix: The header has the declaration.
// EXPECT warning call-failed clCompileProgram CL_COMPILE_PROGRAM_FAILURE at HERE
// EXPECT-TEXT the build log begins:\n(?:.*\n)*error: .*: use of undeclared identifier 'value'
// EXPECT-TEXT \n\(\d+ more lines\)
#include "common/opencl.h"

#ifdef DEFECT
#define DECLARE ""
#else
#define DECLARE "constant float value = 2;\n"
#endif

int main(void) {
  Open(0);
  const char* source = DECLARE
      "kernel void scale(global float* out) {\n"
      "  out[0] = value; out[1] = value;\n"
      "  out[2] = value; out[3] = value;\n"
      "  out[4] = value; out[5] = value;\n"
      "  out[6] = value; out[7] = value;\n"
      "  out[8] = value; out[9] = value;\n"
      "  out[10] = value; out[11] = value;\n"
      "  out[12] = value; out[13] = value;\n"
      "}\n";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @HERE
  clCompileProgram(program, 1, &device, NULL, 0, NULL, NULL, NULL, NULL);
  CLOSE(program);
}
