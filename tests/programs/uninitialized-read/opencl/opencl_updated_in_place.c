// Defect: Kernels update memory that nothing has written.
// Fix: The memory is cleared before.
#include "common/opencl.h"

// Defect: A kernel adds to a vector that nothing has written.
// Fix: The vector is set to 0 before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-TEXT updates argument 2 .*, buffer .*, from byte 0 on, but nothing has written these bytes
static const char kSource[] =
    "kernel void saxpy(float a, global const float* x, global float* y, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n) y[i] += a * x[i];"
    "}";

static void UpdatedInPlace(void) {
  static float values[1024];
  const size_t global = 1024;
  const cl_float factor = 2;
  const cl_int count = 1024;
  cl_kernel kernel = NewKernel(kSource, "saxpy");
  cl_mem x = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem y = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
#ifndef DEFECT
  const cl_float zero = 0;
  OK(clEnqueueFillBuffer(queue, y, &zero, sizeof(zero), 0, sizeof(values), 0, NULL, NULL));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(factor), &factor));
  OK(clSetKernelArg(kernel, 1, sizeof(x), &x));
  OK(clSetKernelArg(kernel, 2, sizeof(y), &y));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, y, x);
}

// Defect: A kernel adds to a sum that nothing has set.
// Fix: The sum is set to 0 before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1 .*, buffer .*atomically from byte 0 on
static const char kSource2[] =
    "kernel void total(global const int* values, volatile global int* sum) {"
    "  atomic_add(sum, values[get_global_id(0)]);"
    "}";

static void SumNeverZeroed(void) {
  static int values[1024];
  const size_t global = 1024;
  const cl_int zero = 0;
  cl_kernel kernel = NewKernel(kSource2, "total");
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem sum = MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(sum), &sum));
#ifndef DEFECT
  OK(clEnqueueFillBuffer(queue, sum, &zero, sizeof(zero), 0, sizeof(zero), 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  // It has a value now.
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  cl_int result = zero;
  OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL));
  RELEASE(sum, in, kernel);
}

// Defect: A kernel counts in a histogram that nothing has cleared.
// Fix: The histogram is cleared before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=1
// EXPECT-TEXT updates argument 1 .*, buffer .*, atomically at places between bytes 0 and 1023
static const char kSource3[] =
    "kernel void histogram(global const uchar* pixels, volatile global uint* counts) {"
    "  atomic_inc(&counts[pixels[get_global_id(0)]]);"
    "}";

static void HistogramNeverCleared(void) {
  static unsigned char values[4096];
  const size_t global = sizeof(values), bytes = 256 * sizeof(cl_uint);
  cl_kernel kernel = NewKernel(kSource3, "histogram");
  cl_mem pixels =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem counts = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueFillBuffer(queue, counts, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(pixels), &pixels));
  OK(clSetKernelArg(kernel, 1, sizeof(counts), &counts));
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, counts, pixels);
}

// Defect: The program clears 256 bytes of 256 counters. A kernel counts, and the program reads all counters.
// Fix: The program clears all bytes of the counters.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE_4
// EXPECT-FACT written_bytes=256
static void ClearOfAQuarter(void) {
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
  // @HERE_4
  OK(clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  RELEASE(kernel, counts, pixels);
}

int main(void) {
  Open(0);
  UpdatedInPlace();
  SumNeverZeroed();
  HistogramNeverCleared();
  ClearOfAQuarter();
  Close();
}
