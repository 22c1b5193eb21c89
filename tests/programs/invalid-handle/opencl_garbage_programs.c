// Defect: Programs are compiled with a header, linked and queried by handles that are no programs.
// Fix: All handles name programs.
// OPTION --shield
// EXPECT error invalid-handle clCompileProgram at COMPILE
// EXPECT-FACT argument=input_headers[1]
// EXPECT error invalid-handle clLinkProgram at LINK
// EXPECT-FACT argument=input_programs[0]
// EXPECT error use-after-free clGetProgramBuildInfo at QUERY
// EXIT any
#include "common/opencl.h"

static cl_program NewProgram(const char* source) {
  return MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
}

int main(void) {
  Open(0);
  cl_program program = NewProgram("kernel void one(global int* out) { out[0] = 1; }");
  cl_program header = NewProgram("typedef int number;\n");
  cl_program headers[2] = {header, header};
  const char* names[2] = {"number.h", "other.h"};
  OK(clRetainProgram(header));
#ifdef DEFECT
  headers[1] = (cl_program)0x10;
#endif
  // @COMPILE
  const cl_int compiled = clCompileProgram(program, 1, &device, NULL, 2, headers, names, NULL, NULL);
  cl_program input = program;
#ifdef DEFECT
  FAILS(CL_INVALID_PROGRAM, compiled);
  input = (cl_program)queue;
#else
  OK(compiled);
#endif
  // @LINK
  cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &input, NULL, NULL, &error);
#ifdef DEFECT
  FAILS(CL_INVALID_PROGRAM, error);
  OK(clReleaseProgram(header));
#else
  OK(error);
  OK(clReleaseProgram(linked));
#endif
  OK(clReleaseProgram(header));
  cl_build_status status;
#ifdef DEFECT
  cl_program asked = header;
#else
  cl_program asked = program;
#endif
  // @QUERY
  clGetProgramBuildInfo(asked, device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL);
#ifndef DEFECT
  OK(clReleaseProgram(header));
#endif
  CLOSE(program);
}
