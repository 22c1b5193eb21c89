// Defect: A thread changes an argument of a kernel while another thread is inside of a launch of the kernel.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clSetKernelArg at SECOND
// EXPECT-TEXT whether the launch gets the old or the new value
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clEnqueueNDRangeKernel
#include "common/opencl_threads.h"

static cl_kernel fill;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const cl_int value = 8;
  // @SECOND
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
}

int main() {
  OpenExtensions(0);
  fill = NewKernel("kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int value = 7;
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  CallInside("clEnqueueNDRangeKernel", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    const size_t items = 1024;
    OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  JoinSecond();
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill));
  Close();
}
