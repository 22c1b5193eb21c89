// A program compiles: what it uses is declared.
#include "common/opencl.h"

#define DECLARE "constant float value = 2;\n"

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
  clCompileProgram(program, 1, &device, NULL, 0, NULL, NULL, NULL, NULL);
  OK(clReleaseProgram(program));
  Close();
}
