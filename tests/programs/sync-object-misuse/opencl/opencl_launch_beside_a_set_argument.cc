// Defect: A thread launches a kernel while another thread is inside of a call that changes an argument.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clEnqueueNDRangeKernel at SECOND
// EXPECT-TEXT whether the launch gets the old or the new value
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clSetKernelArg
#include "common/opencl_threads.h"

static cl_kernel fill;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const size_t items = 1024;
  // @SECOND
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
}

int main() {
  OpenExtensions(0);
  fill = NewKernel("kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_int value = 7;
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  CallInside("clSetKernelArg", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    value = 8;
    OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  }
  JoinSecond();
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill));
  Close();
}
