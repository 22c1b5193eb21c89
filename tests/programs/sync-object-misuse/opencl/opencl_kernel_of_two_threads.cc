// Defect: Two threads set arguments of one kernel at the same time.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clSetKernelArg at SECOND
// EXPECT-TEXT appendix A.2
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clSetKernelArg
#include "common/opencl_threads.h"

static cl_kernel fill;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const cl_int value = 7;
  // @SECOND
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
}

int main() {
  OpenExtensions(0);
  fill = NewKernel("kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  CallInside("clSetKernelArg", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  }
  JoinSecond();
  const size_t items = 1024;
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill));
  Close();
}
