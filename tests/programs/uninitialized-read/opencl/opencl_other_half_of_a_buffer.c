// Defect: The program writes the first half of a buffer, and a kernel reads the sub-buffer of the second half.
// Fix: The kernel reads the sub-buffer of the first half.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kItems = 1024 };
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + 1;"
      "}",
      "add");
  static cl_int values[kItems];
  const size_t items = kItems, bytes = sizeof(values);
  cl_mem both = MADE(clCreateBuffer(context, 0, 2 * bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  const cl_buffer_region regions[2] = {{0, bytes}, {bytes, bytes}};
  cl_mem halves[2];
  for (int i = 0; i < 2; ++i) {
    halves[i] = MADE(clCreateSubBuffer(both, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], &error));
  }
  OK(clEnqueueWriteBuffer(queue, halves[0], CL_TRUE, 0, bytes, values, 0, NULL, NULL));
#ifdef DEFECT
  cl_mem in = halves[1];
#else
  cl_mem in = halves[0];
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  // The kernel writes the second half, which is then an input.
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &halves[0]));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &halves[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &halves[1]));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(halves[i]));
  CLOSE(both, out, kernel);
}
