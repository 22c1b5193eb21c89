// A program is compiled and linked in steps, and made again from its binary.
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  CLOSE(buffer);
}
