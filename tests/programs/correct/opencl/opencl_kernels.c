// Kernels that are made and launched in rare ways.
#include <unistd.h>

#include "common/opencl.h"

// A kernel without memory arguments that prints.
static void PrintfKernel(void) {
  cl_kernel kernel =
      NewKernel("kernel void hello(int value) { printf(\"hello %d\\n\", value); }", "hello");
  const cl_int value = 42;
  OK(clSetKernelArg(kernel, 0, sizeof(value), &value));
  const size_t items = 1;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel);
}

// NULL is a value that a kernel may get for a buffer, and that it may look at.
static void NullKernelArgument(void) {
  int result[64];
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* out, global const int* optional) {"
      "  out[get_global_id(0)] = optional ? optional[get_global_id(0)] : 7;"
      "}",
      "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_mem none = NULL;
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(none), &none));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  RELEASE(out, kernel);
}

// A native kernel reads one buffer and writes another; the queue is in-order.
static void CL_CALLBACK Twice(void* arguments) {
  int** pointers = arguments;
  for (int i = 0; i < 64; ++i) pointers[1][i] = 2 * pointers[0][i];
}

static void NativeKernel(void) {
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_mem buffers[2];
  buffers[0] = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  buffers[1] = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  void* arguments[2] = {NULL, NULL};
  const void* places[2] = {&arguments[0], &arguments[1]};
  OK(clEnqueueNativeKernel(queue, Twice, arguments, sizeof(arguments), 2, buffers, places, 0, NULL,
                           NULL));
  OK(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  RELEASE(buffers[1], buffers[0]);
}

// A clone keeps the arguments of its original, which is set and released otherwise.
static void CloneKernel(void) {
  int result[64];
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem one = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_int values[2] = {1, 2};
  const size_t items = 64;
  OK(clSetKernelArg(kernel, 0, sizeof(one), &one));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_int), &values[0]));
  cl_kernel clone = MADE(clCloneKernel(kernel, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(two), &two));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_int), &values[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(kernel));
  OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(clone));
  OK(clEnqueueReadBuffer(queue, one, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  OK(clEnqueueReadBuffer(queue, two, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  RELEASE(two, one);
}

// A launch of no work items touches none of its arguments: what another queue does to them is no race, and it fills
// nothing.
static void LaunchOfNothing(void) {
  static const char kSource[] = "kernel void fill(global int* to) { to[get_global_id(0)] = 1; }";
  cl_command_queue other = NewQueue(0);
  static int data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel(kSource, "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t nothing = 0;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &nothing, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  RELEASE(kernel, buffer, other);
}

// A program is compiled and linked in steps, and made again from its binary.
static void CompileAndLink(void) {
  int result[64];
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = VALUE; }";
  cl_program object = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clCompileProgram(object, 1, &device, "-DVALUE=12", 0, NULL, NULL, NULL, NULL));
  cl_program linked =
      MADE(clLinkProgram(context, 1, &device, NULL, 1, &object, NULL, NULL, &error));
  size_t bytes = 0;
  OK(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
  unsigned char* binary = malloc(bytes);
  OK(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  const unsigned char* read_only = binary;
  cl_program again =
      MADE(clCreateProgramWithBinary(context, 1, &device, &bytes, &read_only, NULL, &error));
  free(binary);
  OK(clBuildProgram(again, 1, &device, NULL, NULL, NULL));
  cl_kernel kernels[2];
  cl_program programs[2] = {linked, again};
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const size_t items = 64;
  for (int i = 0; i < 2; ++i) {
    cl_uint count = 0;
    OK(clCreateKernelsInProgram(programs[i], 1, &kernels[i], &count));
    OK(clSetKernelArg(kernels[i], 0, sizeof(buffer), &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernels[i], 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(kernels[i]));
    OK(clReleaseProgram(programs[i]));
  }
  OK(clReleaseProgram(object));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  RELEASE(buffer);
}

// A file that a program includes changes after the build of the program, before the creation of its
// kernel.
static char folder[] = "/tmp/gpusan-include-XXXXXX";
static char path[64];

static void Write(const char* text) {
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

static void IncludedFileChanges(void) {
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof(path), "%s/step.h", folder);
  Write("#define STEP 1\n");
  char options[64];
  snprintf(options, sizeof(options), "-I %s", folder);
  const char* source =
      "#include \"step.h\"\n"
      "kernel void fill(global int* values) { values[get_global_id(0) * STEP] = 1; }\n";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
  Write("#define STEP 100\n");
  cl_kernel kernel = MADE(clCreateKernel(program, "fill", &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  unlink(path);
  rmdir(folder);
  RELEASE(values, kernel, program);
}

int main(void) {
  Open(0);
  PrintfKernel();
  NullKernelArgument();
  NativeKernel();
  CloneKernel();
  LaunchOfNothing();
  CompileAndLink();
  IncludedFileChanges();
  Close();
}
