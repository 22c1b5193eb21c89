// Two threads launch one kernel at the same time. One of them sets an argument to the value that it has.
#include "common/opencl_threads.h"

static cl_kernel count;
static const cl_int kStep = 1;
static const size_t kItems = 1024;

static void Second() {
  OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &kItems, NULL, 0, NULL, NULL));
}
static void Third() { OK(clSetKernelArg(count, 1, sizeof(kStep), &kStep)); }

static void Beside(void (*function)()) { std::thread(function).join(); }

int main() {
  OpenExtensions(0);
  count = NewKernel("kernel void count(global int* sum, int step) { atomic_add(sum, step); }", "count");
  cl_mem sum = MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, sum, &zero, sizeof(zero), 0, sizeof(zero), 0, NULL, NULL));
  OK(clSetKernelArg(count, 0, sizeof(sum), &sum));
  OK(clSetKernelArg(count, 1, sizeof(kStep), &kStep));
  CallInside("clEnqueueNDRangeKernel", [] { Beside(Second); });
  OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &kItems, NULL, 0, NULL, NULL));
  CallInside("clEnqueueNDRangeKernel", [] { Beside(Third); });
  OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &kItems, NULL, 0, NULL, NULL));
  cl_int total = 0;
  OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof(total), &total, 0, NULL, NULL));
  printf("%d\n", total);
  OK(clReleaseMemObject(sum));
  OK(clReleaseKernel(count));
  Close();
}
