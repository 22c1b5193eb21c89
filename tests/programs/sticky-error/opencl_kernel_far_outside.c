// Defect: A kernel writes far outside of its buffer. The driver says so by a code of clFinish that means something else.
// Fix: The kernel writes to its buffer.
// EXPECT error sticky-error clFinish CL_INVALID_COMMAND_QUEUE at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-TEXT kernel "faults" \(clEnqueueNDRangeKernel\)
// EXPECT-COUNT 3
// MAY kernel-argument-out-of-bounds
#include "common/extensions.h"

#ifdef DEFECT
#define NAME "faults"
#else
#define NAME "fill"
#endif

int main(void) {
  OpenExtensions(0);
  const char* source =
      "kernel void fill(global int* values) { values[get_global_id(0)] = 3; }"
      "kernel void faults(global int* values) { values[(long)values[0] << 43] = 3; }";
  cl_kernel fill = NewKernel(source, "fill");
  cl_kernel next = NewKernel(source, NAME);
  cl_mem values = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t items = 1024;
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(next, 0, sizeof(values), &values));
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  const size_t one = 1;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, next, 1, NULL, &one, NULL, 0, NULL, NULL));
  // @HERE
  clFinish(queue);
  // What follows from the fault is counted there, and what the program leaves behind is no leak.
  clFinish(queue);
  int result[1024];
  clEnqueueReadBuffer(queue, values, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL);
#ifdef DEFECT
  return 0;
#else
  CLOSE(values, next, fill);
#endif
}
