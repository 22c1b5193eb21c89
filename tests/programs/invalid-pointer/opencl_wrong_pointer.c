// Defect location_of_a_native_kernel: The place for the pointer of a native kernel's buffer is a
// variable beside the arguments, which the driver copies.
// EXPECT error invalid-pointer clEnqueueNativeKernel at HERE
// EXPECT-FACT index=0
// EXIT any
// Defect constant: A read writes its result over a constant array of the program.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE_2
// EXIT any
// Defect argument: A kernel argument for shared virtual memory is set to a pointer from malloc.
// EXPECT error invalid-pointer clSetKernelArgSVMPointer at HERE_3
// EXPECT-PARTY host-block at BLOCK
// EXIT any
// Defect pattern: Shared memory is filled with a pattern whose pointer is NULL.
// EXPECT error invalid-pointer clEnqueueSVMMemFill at HERE_4
// EXPECT-FACT argument=pattern
// EXIT any
// Defect source: A program is created from a list of strings that is NULL.
// EXPECT error invalid-pointer clCreateProgramWithSource at HERE_5
// EXPECT-FACT argument=strings
// EXIT any
// Defect kernel_input: A kernel reads its input, for which the program passes NULL.
// EXPECT error invalid-pointer clEnqueueNDRangeKernel at HERE_6
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
// EXIT any
// Fix: The pointers are those of memory of the program.
#include "common/opencl.h"

// Fix: The place is a member of the arguments.
typedef struct {
  int count;
  int* numbers;
} Arguments;

static void CL_CALLBACK Fill(void* data) {
  const Arguments* arguments = data;
  for (int i = 0; i < arguments->count; ++i) arguments->numbers[i] = i;
}

static void LocationOfANativeKernel(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 400, NULL, &error));
  Arguments arguments = {100, NULL};
#ifdef DEFECT_location_of_a_native_kernel
  const void* location = &buffer;
#else
  const void* location = &arguments.numbers;
#endif
  // @HERE
  OK(clEnqueueNativeKernel(queue, Fill, &arguments, sizeof(arguments), 1, &buffer, &location, 0,
                           NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Fix: The array is not const.
#ifdef DEFECT_constant
static const int kTable[1024] = {1, 2, 3};
#else
static int kTable[1024] = {1, 2, 3};
#endif

static void Constant(void) {
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(kTable), (void*)kTable, &error));
  // @HERE_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(kTable), (void*)kTable, 0, NULL, NULL));
  RELEASE(buffer);
}

// Fix: The argument is set to a pointer from clSVMAlloc.
static void Argument(void) {
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL));
  if ((can & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0) exit(77);  // any pointer is an argument
#ifdef DEFECT_argument
  // @BLOCK
  int* data = malloc(4096);
  // @HERE_3
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  free(data);
#else
  int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  clSVMFree(context, data);
#endif
}

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
  // @HERE_4
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
  // @HERE_5
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
  cl_mem in =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), (void*)values, &error));
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
  // @HERE_6
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(null), &null));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel);
}

int main(void) {
  Open(0);
  LocationOfANativeKernel();
  Constant();
  Argument();
  Pattern();
  Source();
  KernelInput();
  Close();
}
