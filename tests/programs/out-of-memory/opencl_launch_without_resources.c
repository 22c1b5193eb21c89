// Defect: The device lacks resources for a launch, but has not faulted: its queue still works.
// Fix: The launch needs fewer resources.
// EXPECT warning out-of-memory clEnqueueNDRangeKernel CL_OUT_OF_RESOURCES at HERE
#include "common/extensions.h"

#ifdef DEFECT
#define NAME "exhausts"
#else
#define NAME "fill"
#endif

int main(void) {
  OpenExtensions(0);
  const char* source =
      "kernel void fill(global int* values) { values[get_global_id(0)] = 3; }"
      "kernel void exhausts(global int* values) { values[get_global_id(0)] = 3; }";
  cl_kernel first = NewKernel(source, "fill");
  cl_kernel second = NewKernel(source, NAME);
  cl_mem values = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(first, 0, sizeof(values), &values));
  OK(clSetKernelArg(second, 0, sizeof(values), &values));
  const size_t items = 1024;
  OK(clEnqueueNDRangeKernel(queue, first, 1, NULL, &items, NULL, 0, NULL, NULL));
  // @HERE
  clEnqueueNDRangeKernel(queue, second, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(values, second, first);
}
