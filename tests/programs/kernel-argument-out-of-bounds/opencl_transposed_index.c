// Defect: A kernel that transposes a matrix multiplies the column by the width instead of the
// height. The elements that it writes have gaps between them, and the last ones are outside.
// Fix: It multiplies the column by the height.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=transpose
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=239
#include "common/opencl.h"

static const char* const kSource =
    "kernel void transpose(global const int* in, global int* out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < width && y < height) out[x * STEP + y] = in[y * width + x];\n"
    "}\n";

int main(void) {
  Open(0);
  const cl_int width = 8, height = 4;
  cl_program program =
      MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource, NULL, &error));
#ifdef DEFECT
  OK(clBuildProgram(program, 1, &device, "-D STEP=width", NULL, NULL));
#else
  OK(clBuildProgram(program, 1, &device, "-D STEP=height", NULL, NULL));
#endif
  cl_kernel kernel = MADE(clCreateKernel(program, "transpose", &error));
  static cl_int values[32];
  // Behind the result there is room for the elements that are outside.
  static cl_int host[256];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(values), host, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 3, sizeof(height), &height));
  const size_t items[2] = {8, 4};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel, program);
}
