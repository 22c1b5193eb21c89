// Defect: A kernel reads an image that was created from a buffer, which nothing has written.
// Fix: The program fills the buffer first.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kItems = 256 };
  cl_kernel kernel = NewKernel(
      "kernel void load(read_only image1d_buffer_t line, global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(line, x);"
      "}",
      "load");
  const size_t items = kItems, bytes = kItems * 4 * sizeof(cl_float);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
#ifndef DEFECT
  const cl_float one = 1;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, bytes, 0, NULL, NULL));
#endif
  cl_image_desc shape = Image1D(kItems);
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.buffer = buffer;
  cl_mem line = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(line), &line));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(line, buffer, out, kernel);
}
