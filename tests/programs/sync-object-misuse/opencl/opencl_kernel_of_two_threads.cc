// Defect: Two threads use one kernel at the same time, and one of them sets an argument.
// Fix: Each thread has a kernel of its own.
#include "common/opencl_threads.h"

// Defect: Two threads set arguments of one kernel at the same time.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clSetKernelArg at SECOND
// EXPECT-TEXT appendix A.2
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clSetKernelArg
static cl_kernel fill;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const cl_int value = 7;
  // @SECOND
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
}

static void KernelOfTwoThreads() {
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
}

// Defect: A thread changes an argument of a kernel while another thread is inside of a launch of the kernel.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clSetKernelArg at SECOND_2
// EXPECT-TEXT whether the launch gets the old or the new value
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clEnqueueNDRangeKernel
static cl_kernel fill_2;

static void ArgumentSetSecond() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const cl_int value = 8;
  // @SECOND_2
  OK(clSetKernelArg(fill_2, 1, sizeof(value), &value));
}

static void ArgumentSetBesideALaunch() {
  fill_2 = NewKernel("kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int value = 7;
  OK(clSetKernelArg(fill_2, 0, sizeof(out), &out));
  OK(clSetKernelArg(fill_2, 1, sizeof(value), &value));
  CallInside("clEnqueueNDRangeKernel", [] { RunBeside(ArgumentSetSecond); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    const size_t items = 1024;
    OK(clEnqueueNDRangeKernel(queue, fill_2, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  JoinSecond();
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill_2));
}

// Defect: A thread launches a kernel while another thread is inside of a call that changes an argument.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse clEnqueueNDRangeKernel at SECOND_3
// EXPECT-TEXT whether the launch gets the old or the new value
// EXPECT-PARTY other-thread
// EXPECT-FACT other_call=clSetKernelArg
static cl_kernel fill_3;

static void LaunchBesideSecond() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const size_t items = 1024;
  // @SECOND_3
  OK(clEnqueueNDRangeKernel(queue, fill_3, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void LaunchBesideASetArgument() {
  fill_3 = NewKernel("kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_int value = 7;
  OK(clSetKernelArg(fill_3, 0, sizeof(out), &out));
  OK(clSetKernelArg(fill_3, 1, sizeof(value), &value));
  CallInside("clSetKernelArg", [] { RunBeside(LaunchBesideSecond); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    value = 8;
    OK(clSetKernelArg(fill_3, 1, sizeof(value), &value));
  }
  JoinSecond();
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill_3));
}

int main() {
  OpenExtensions(0);
  KernelOfTwoThreads();
  ArgumentSetBesideALaunch();
  LaunchBesideASetArgument();
  Close();
}
