// Atomic functions on new memory: the kernel sets its counter itself, exchanges its content, or updates a counter only
// where the data says so, which it never does; and a counter is set through a map.
#include "common/opencl.h"

static const char kSource[] =
    "kernel void by_itself(volatile global int* count) {"
    "  if (get_local_id(0) == 0) *count = 0;"
    "  barrier(CLK_GLOBAL_MEM_FENCE);"
    "  atomic_inc(count);"
    "}"
    "kernel void plainly(global int* count) {"
    "  if (get_local_id(0) == 0) count[0] = 0;"
    "  barrier(CLK_GLOBAL_MEM_FENCE);"
    "  atomic_inc(count);"
    "}"
    "kernel void exchange(volatile global int* last) { atomic_xchg(last, get_global_id(0)); }"
    "kernel void where_set(volatile global int* count, global const int* flags) {"
    "  if (flags[get_global_id(0)]) atomic_inc(count);"
    "}"
    "kernel void all_of_them(volatile global int* count) { atomic_inc(count); }";

static cl_mem New(void) { return MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error)); }

static void Run(const char* name, cl_mem memory, cl_mem flags) {
  cl_kernel kernel = NewKernel(kSource, name);
  const size_t size = 64;
  OK(clSetKernelArg(kernel, 0, sizeof(memory), &memory));
  if (flags) OK(clSetKernelArg(kernel, 1, sizeof(flags), &flags));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

int main(void) {
  Open(0);
  static int none[64];
  cl_mem flags = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(none), none, &error));
  cl_mem counters[5];
  for (int i = 0; i < 5; ++i) counters[i] = New();
  Run("by_itself", counters[0], NULL);
  Run("plainly", counters[1], NULL);
  Run("exchange", counters[2], NULL);
  Run("where_set", counters[3], flags);
  cl_int* mapped = MADE(clEnqueueMapBuffer(queue, counters[4], CL_TRUE, CL_MAP_WRITE, 0, sizeof(cl_int), 0, NULL, NULL,
                                           &error));
  *mapped = 0;
  OK(clEnqueueUnmapMemObject(queue, counters[4], mapped, 0, NULL, NULL));
  Run("all_of_them", counters[4], NULL);
  cl_int result = 0;
  OK(clEnqueueReadBuffer(queue, counters[4], CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL));
  printf("%d\n", result);
  for (int i = 0; i < 5; ++i) OK(clReleaseMemObject(counters[i]));
  CLOSE(flags);
}
