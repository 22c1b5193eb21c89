// Defect: A quarter of a buffer is written, because the write counts elements, and a kernel scales
// all of it.
// Fix: The size of the write is in bytes.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=scale
// EXPECT-FACT written_bytes=1024
// EXPECT-TEXT updates argument 0 .*, buffer .*, in place, but only 1 KiB of it were written
#include "common/opencl.h"

int main(void) {
  Open(0);
  static float data[1024];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / sizeof(data[0]);
#else
  const size_t bytes = sizeof(data);
#endif
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* data, float factor) {"
      "  data[get_global_id(0)] *= factor;"
      "}",
      "scale");
  const cl_float factor = 2;
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
  const size_t items = 1024;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, buffer);
}
