// The output buffer was declared and never created: the kernel gets a NULL pointer and writes
// through it.
// EXPECT error invalid-pointer clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem out = NULL;
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  Close();
}
