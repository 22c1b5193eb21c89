// Defect pattern: Shared memory is filled with a pattern whose pointer is NULL.
// EXPECT error invalid-pointer clEnqueueSVMMemFill at HERE
// EXPECT-FACT argument=pattern
// EXIT any
// Defect source: A program is created from a list of strings that is NULL.
// EXPECT error invalid-pointer clCreateProgramWithSource at HERE_2
// EXPECT-FACT argument=strings
// EXIT any
// Defect kernel_input: A kernel reads its input, for which the program passes NULL.
// EXPECT error invalid-pointer clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
// EXIT any
// Fix: The program passes the address of its data.
#include "common/opencl.h"

// Fix: The pointer of the pattern names the pattern.
static void Pattern(void) {
  const cl_int seven = 7;
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (memory == NULL) abort();
#ifdef DEFECT_pattern
  const void* pattern = NULL;
#else
  const void* pattern = &seven;
#endif
  // @HERE
  clEnqueueSVMMemFill(queue, memory, pattern, sizeof(seven), 4096, 0, NULL, NULL);
  OK(clFinish(queue));
  clSVMFree(context, memory);
}

// Fix: The list holds the source.
static void Source(void) {
#ifdef DEFECT_source
  const char** strings = NULL;
#else
  const char* source = "kernel void one(global int* out) { out[0] = 1; }";
  const char** strings = &source;
#endif
  // @HERE_2
  cl_program program = clCreateProgramWithSource(context, 1, strings, NULL, &error);
  if (program != NULL) OK(clReleaseProgram(program));
}

// Fix: The program passes a buffer. NULL is a value of the second input, with which the kernel
// compares it.
static void KernelInput(void) {
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global const int* more, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + (more ? more[i] : 1);"
      "}",
      "add");
  static const cl_int values[64];
  const size_t items = 64, none = 0;
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), (void*)values, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
  cl_mem null = NULL;
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), NULL));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  // A launch without work-items reads nothing.
  OK(clSetKernelArg(kernel, 0, sizeof(null), &null));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &none, NULL, 0, NULL, NULL));
#ifndef DEFECT_kernel_input
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
#endif
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(null), &null));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel);
}

int main(void) {
  Open(0);
  Pattern();
  Source();
  KernelInput();
  Close();
}
