// Defect: A kernel counts in a histogram that nothing has cleared.
// Fix: The histogram is cleared before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1 .*, buffer .*, atomically at places between bytes 0 and 1023
#include "common/opencl.h"

static const char kSource[] =
    "kernel void histogram(global const uchar* pixels, volatile global uint* counts) {"
    "  atomic_inc(&counts[pixels[get_global_id(0)]]);"
    "}";

int main(void) {
  Open(0);
  static unsigned char values[4096];
  const size_t global = sizeof(values), bytes = 256 * sizeof(cl_uint);
  cl_kernel kernel = NewKernel(kSource, "histogram");
  cl_mem pixels =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem counts = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueFillBuffer(queue, counts, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(pixels), &pixels));
  OK(clSetKernelArg(kernel, 1, sizeof(counts), &counts));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, counts, pixels);
}
