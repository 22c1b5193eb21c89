// Defect: Half of a buffer is written, and a kernel reads all of it.
// Fix: All of a buffer is written before a kernel reads it.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=copy
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static float data[64];
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out, in);
}
