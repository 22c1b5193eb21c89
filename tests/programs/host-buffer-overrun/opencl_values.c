// Defect binary: The binary of a program is queried into a block that is smaller than the binary.
// EXPECT error host-buffer-overrun clGetProgramInfo at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT argument=param_value[0]
// EXIT any
// Defect source: Source of a program is passed without a length and without a NUL character.
// EXPECT error host-buffer-overrun clCreateProgramWithSource at HERE_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT block_bytes=4096
// EXIT any
// Defect query: A query of the source passes a size that the host block does not have, and the
// source is longer than the block.
// EXPECT error host-buffer-overrun clGetProgramInfo at HERE_3
// EXPECT-TEXT of the value to param_value, but the host block has 2 KiB after the pointer
// EXIT any
// Defect write: A write copies 64 floats from a block for 10 of them.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE_4
// EXIT any
// Fix: The block has the size that the program passes.
#include "common/opencl.h"

// Fix: The block has the size of the binary.
static void Binary(void) {
  cl_kernel kernel = NewKernel("kernel void one(global int* out) { out[get_global_id(0)] = 1; }", "one");
  cl_program program;
  OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
  size_t bytes = 0;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
#ifdef DEFECT_binary
  bytes -= 8;
#endif
  // @BLOCK
  unsigned char* binary = malloc(bytes);
  // @HERE
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  free(binary);
  RELEASE(kernel);
}

// Fix: The source ends with a NUL character.
static void Source(void) {
  static const char kText[] = "kernel void nothing(void) {}";
#ifdef DEFECT_source
  const size_t bytes = 4096;
#else
  const size_t bytes = 4097;
#endif
  // @BLOCK_2
  char* text = malloc(bytes);
  memset(text, ' ', bytes);
  memcpy(text, kText, sizeof(kText) - 1);
#ifndef DEFECT_source
  text[4096] = '\0';
#endif
  const char* source = text;
  // @HERE_2
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  OK(clReleaseProgram(program));
  free(text);
}

// Fix: The block has the size that is passed.
static void ValueOfAQuery(void) {
  enum { kSource = 4000, kLarge = 8192 };
  static char text[kSource + 1];
  memset(text, ' ', kSource);
  const char* source = text;
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT_query
  const size_t bytes = 2048;
#else
  const size_t bytes = kLarge;
#endif
  char* answer = malloc(bytes);
  // @HERE_3
  OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, kLarge, answer, NULL));
  free(answer);
  // A block that is smaller than the size is enough for a short value.
  char* name = malloc(2048);
  OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, kLarge, name, NULL));
  free(name);
  RELEASE(program);
}

// Fix: The block has 64.
static void SmallBlock(void) {
  enum { kCount = 64 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kCount * sizeof(float), NULL, &error));
#ifdef DEFECT_write
  float* values = malloc(10 * sizeof(float));
  memset(values, 0, 10 * sizeof(float));
#else
  float* values = malloc(kCount * sizeof(float));
  memset(values, 0, kCount * sizeof(float));
#endif
  // @HERE_4
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(float), values, 0, NULL, NULL));
  free(values);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  Binary();
  Source();
  ValueOfAQuery();
  SmallBlock();
  Close();
}
