// Defect: Programs have no kernel, or a kernel that this compiler rejects.
// Fix: The programs have a kernel that the compiler accepts.
#include "common/extensions.h"

// Defect: A file with the source was not found, so the program is empty and has no kernel.
// Fix: The source has the kernel.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at HERE
// EXPECT-TEXT the program has no kernels
static void ProgramWithoutKernels(void) {
#ifdef DEFECT
  const char* source = "";
#else
  const char* source = "kernel void fill(global int* values) { values[get_global_id(0)] = 1; }";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  // @HERE
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (kernel != NULL) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

// Defect: The program asks the compiler to describe the parameters of a kernel without parameters,
// which this compiler rejects. Fix: It builds without the option.
// EXPECT note call-failed clBuildProgram CL_BUILD_PROGRAM_FAILURE
static void DescribedParameters(void) {
  const char* source = "kernel void nothing() { if (get_global_id(0) == 99) printf(\"%d\", 1); }";
  const char* options = "";
#ifdef DEFECT
  options = "-cl-kernel-arg-info";
#endif
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "nothing", &error));
  const size_t items = 16;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, program);
}

int main(void) {
  OpenExtensions(0);
  ProgramWithoutKernels();
  DescribedParameters();
  Close();
}
