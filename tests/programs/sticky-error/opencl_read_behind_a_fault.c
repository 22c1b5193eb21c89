// Defect: A kernel writes far outside of its buffer. A poll and a blocking read of another buffer are the first to fail.
// Fix: The kernel writes to its buffer.
// EXPECT error sticky-error clEnqueueReadBuffer CL_OUT_OF_RESOURCES at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-COUNT 2
// MAY kernel-argument-out-of-bounds
#include "common/extensions.h"

#ifdef DEFECT
#define NAME "faults"
#else
#define NAME "fill"
#endif

int main(void) {
  OpenExtensions(0);
  cl_kernel next = NewKernel(
      "kernel void fill(global int* values) { values[get_global_id(0)] = 3; }"
      "kernel void faults(global int* values) { values[(long)values[0] << 43] = 3; }",
      NAME);
  int zeros[1024] = {1};
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(zeros), zeros, &error));
  cl_mem other = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(zeros), zeros, &error));
  OK(clSetKernelArg(next, 0, sizeof(values), &values));
  const size_t one = 1;
  cl_event done;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, next, 1, NULL, &one, NULL, 0, NULL, &done));
  // @HERE
  clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof(zeros), zeros, 0, NULL, NULL);
  clWaitForEvents(1, &done);
#ifdef DEFECT
  return 0;
#else
  CLOSE(done, other, values, next);
#endif
}
