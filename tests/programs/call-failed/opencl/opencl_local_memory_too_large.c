// Defect: A kernel gets more local memory than the device has.
// Fix: The kernel gets as much as its work-group needs.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE
// EXPECT-FACT local_bytes=17179869184
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 256, NULL, &error));
  cl_kernel kernel = NewKernel("kernel void sum(local int* scratch, global int* out) {"
                               "  scratch[get_local_id(0)] = 1;"
                               "  barrier(CLK_LOCAL_MEM_FENCE);"
                               "  out[get_global_id(0)] = scratch[0]; }", "sum");
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 34;
#else
  const size_t bytes = 64 * sizeof(cl_int);
#endif
  const size_t items = 64;
  OK(clSetKernelArg(kernel, 0, bytes, NULL));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
