// Defect: The program clears 256 bytes of 256 counters. A kernel counts, and the program reads all counters.
// Fix: The program clears all bytes of the counters.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-FACT written_bytes=256
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kCounters = 256 };
  cl_kernel kernel = NewKernel(
      "kernel void count(global const uchar* pixels, volatile global uint* counts) {"
      "  atomic_inc(&counts[pixels[get_global_id(0)]]);"
      "}",
      "count");
  static unsigned char values[4096];
  static cl_uint result[kCounters];
  const size_t items = sizeof(values);
  cl_mem pixels = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem counts = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_uint zero = 0;
#ifdef DEFECT
  const size_t cleared = kCounters;
#else
  const size_t cleared = sizeof(result);
#endif
  OK(clEnqueueFillBuffer(queue, counts, &zero, sizeof(zero), 0, cleared, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(pixels), &pixels));
  OK(clSetKernelArg(kernel, 1, sizeof(counts), &counts));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  CLOSE(kernel, counts, pixels);
}
