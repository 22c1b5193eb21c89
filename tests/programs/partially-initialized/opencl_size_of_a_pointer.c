// Defect: The size of a write is the size of the pointer to the data instead of the size of the data.
// Fix: The size is the number of elements times their size.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-FACT written_bytes=8
// EXPECT-TEXT if the size of the write is sizeof of a pointer, which is 8 B, pass the size of the block
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t items = 1024;
  float* data = calloc(items, sizeof(*data));
  cl_mem in = MADE(clCreateBuffer(context, 0, items * sizeof(*data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, items * sizeof(*data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data);
#else
  const size_t bytes = items * sizeof(*data);
#endif
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(in));
  free(data);
  Close();
}
