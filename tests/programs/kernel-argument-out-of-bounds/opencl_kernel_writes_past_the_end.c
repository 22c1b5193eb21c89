// Defect: A kernel that writes one element for each work item has more work items than the buffer
// has elements.
// Fix: It has as many work items as elements.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT outside_bytes=4
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel fill = NewKernel(
      "kernel void fill(global int* values, int value) {"
      "  values[get_global_id(0)] = value;"
      "}",
      "fill");
#ifdef DEFECT
  const size_t items = 65;
#else
  const size_t items = 64;
#endif
  // Behind the values there is room for one more.
  static cl_int host[80];
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, host, &error));
  const cl_int value = 7;
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(values, fill);
}
