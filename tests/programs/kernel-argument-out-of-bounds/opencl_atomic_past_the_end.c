// Defect: A histogram has one bin less than the kernel counts into.
// Fix: It has a bin for each work-item.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=count
// EXPECT-FACT outside_bytes=4
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel count = NewKernel("kernel void count(global int* bins) { atomic_inc(&bins[get_global_id(0)]); }", "count");
#ifdef DEFECT
  const size_t bytes = 63 * sizeof(cl_int);
#else
  const size_t bytes = 64 * sizeof(cl_int);
#endif
  // Behind the bins there is room for one more.
  static cl_int host[80];
  cl_mem bins = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  OK(clSetKernelArg(count, 0, sizeof(bins), &bins));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(bins, count);
}
