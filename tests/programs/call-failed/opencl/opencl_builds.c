// Defect: Programs do not compile or link, or lack the kernel that is created.
// Fix: The programs compile and link, and have the kernel.
#include "common/opencl.h"

// Defect: The result of the build is ignored, and the build fails: its source has an error.
// Fix: The source has no error.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at BUILD
// EXPECT warning call-failed clCreateKernel CL_INVALID_PROGRAM_EXECUTABLE at HERE
// EXPECT-TEXT the last build of program failed
// EXPECT-TEXT build the program, and check the result of the build, before clCreateKernel
static void KernelOfFailedBuild(void) {
#ifdef DEFECT
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = one; }";
#else
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @BUILD
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  // @HERE
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

// Defect: A program does not compile because a header lacks a declaration. The log is long: the
// finding quotes its beginning.
// Fix: The header has the declaration.
// EXPECT warning call-failed clCompileProgram CL_COMPILE_PROGRAM_FAILURE at HERE_2
// EXPECT-TEXT the build log begins:\n(?:.*\n)*error: .*: use of undeclared identifier 'value'
// EXPECT-TEXT \n\(\d+ more lines\)
#ifdef DEFECT
#define DECLARE ""
#else
#define DECLARE "constant float value = 2;\n"
#endif

static void CompileFailure(void) {
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
  // @HERE_2
  clCompileProgram(program, 1, &device, NULL, 0, NULL, NULL, NULL, NULL);
  RELEASE(program);
}

// Defect: Two compiled programs do not link: both define the same function.
// Fix: Two compiled programs link: they define different functions.
// EXPECT warning call-failed clLinkProgram CL_LINK_PROGRAM_FAILURE at HERE_3
static cl_program Compiled(const char* source) {
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clCompileProgram(program, 1, &device, NULL, 0, NULL, NULL, NULL, NULL));
  return program;
}

static void LinkFailure(void) {
#ifdef DEFECT
  cl_program parts[2] = {Compiled("kernel void one(global int* out) { *out = 1; }"),
                         Compiled("kernel void one(global int* out) { *out = 2; }")};
#else
  cl_program parts[2] = {Compiled("kernel void one(global int* out) { *out = 1; }"),
                         Compiled("kernel void two(global int* out) { *out = 2; }")};
#endif
  // @HERE_3
  cl_program linked = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL, NULL, &error);
  if (linked != NULL) OK(clReleaseProgram(linked));
  RELEASE(parts[0], parts[1]);
}

// Defect: A program with many errors is built, so that the build log is long.
// Fix: The source has no errors.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at HERE_4
// EXPECT-TEXT correct the source or the options as the build log says
static void LongBuildLog(void) {
  enum { kLines = 200, kLongest = 64 };
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
  // @HERE_4
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  RELEASE(program);
}

// Defect: A program does not compile.
// Fix: A program compiles.
// EXPECT warning call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE at HERE_5
// EXPECT-TEXT the build log:\n(?:.*\n)*error: .*: use of undeclared identifier 'factor'
// EXPECT-TEXT correct the source or the options as the build log says
static void BuildFailure(void) {
#ifdef DEFECT
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = factor; }";
#else
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  // @HERE_5
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  RELEASE(program);
}

// Defect: The program creates a kernel whose name is not in the OpenCL program.
// Fix: The name is in the OpenCL program.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at HERE_6
// EXPECT-TEXT kernel_name "scael" is no kernel of the program; the program has "scale"
static void KernelName(void) {
  const char* source = "kernel void scale(global float* out) { out[get_global_id(0)] = 2; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#ifdef DEFECT
  const char* name = "scael";
#else
  const char* name = "scale";
#endif
  // @HERE_6
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error == CL_SUCCESS) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

// Defect: A kernel is created from a program that was never built.
// Fix: The program is built first.
// EXPECT warning call-failed clCreateKernel CL_INVALID_PROGRAM_EXECUTABLE at HERE_7
// EXPECT-TEXT program was not built
// EXPECT-TEXT build the program, and check the result of the build, before clCreateKernel
static void KernelOfProgramNotBuilt(void) {
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifndef DEFECT
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
#endif
  // @HERE_7
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

int main(void) {
  Open(0);
  KernelOfFailedBuild();
  CompileFailure();
  LinkFailure();
  LongBuildLog();
  BuildFailure();
  KernelName();
  KernelOfProgramNotBuilt();
  Close();
}
