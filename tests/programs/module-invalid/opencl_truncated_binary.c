// Defect: A program is created from the first half of a binary.
// Fix: From the whole binary.
// EXPECT warning module-invalid clCreateProgramWithBinary at HERE
// EXPECT-TEXT it has [0-9]* of at least [0-9]* bytes|end inside of a block
// MAY error error-ignored
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = 7; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  size_t length = 0;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(length), &length, NULL));
  unsigned char* binary = (unsigned char*)malloc(length);
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  OK(clReleaseProgram(program));
#ifdef DEFECT
  length /= 2;
#endif
  // @HERE
  program = clCreateProgramWithBinary(context, 1, &device, &length, (const unsigned char**)&binary, NULL, &error);
  free(binary);
  if (program != NULL) OK(clReleaseProgram(program));
  Close();
}
