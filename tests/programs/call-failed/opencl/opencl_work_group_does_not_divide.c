// Defect: The number of work-items is not a multiple of the work-group's.
// Fix: The number of work-items is rounded up to a multiple of the work-group's.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE
// EXPECT-TEXT global_work_size\[0\] is 100, not a multiple of local_work_size\[0\], 64
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 128 * sizeof(cl_int), NULL, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const size_t items = 100, group = 64;
#else
  const size_t items = 128, group = 64;
#endif
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
