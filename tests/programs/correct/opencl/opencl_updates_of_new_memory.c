// Kernels update memory that no command has written: they write it first, or do not depend on its
// content.
#include "common/opencl.h"

// Looks wrong: Kernels update memory that no command has written. They write it first, read it only
// if a factor is not 0, or are launched over the written part.
enum { kCount = 256 };

static cl_program program;

static void Run(const char* name, cl_mem y, cl_mem x, size_t local, cl_int count, cl_float beta) {
  const size_t global = kCount;
  cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
  cl_uint at = 0;
  if (x != NULL) OK(clSetKernelArg(kernel, at++, sizeof(x), &x));
  OK(clSetKernelArg(kernel, at++, sizeof(y), &y));
  if (x != NULL)
    OK(clSetKernelArg(kernel, at++, sizeof(beta), &beta));
  else if (local != 0)
    OK(clSetKernelArg(kernel, at++, local * sizeof(cl_float), NULL));
  else
    OK(clSetKernelArg(kernel, at++, sizeof(count), &count));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local != 0 ? &local : NULL, 0, NULL,
                            NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

static void SetBeforeTheUpdate(void) {
  static const char kSource[] =
      "kernel void first(global float* y, int first) {"
      "  int i = get_global_id(0);"
      "  if (first) y[i] = 0;"
      "  y[i] += 1;"
      "}"
      "kernel void blend(global const float* x, global float* y, float beta) {"
      "  int i = get_global_id(0);"
      "  y[i] = beta == 0 ? x[i] : beta * y[i] + x[i];"
      "}"
      "kernel void pass(global float* y, local float* t) {"
      "  int i = get_local_id(0), n = get_local_size(0);"
      "  y[i] = i;"
      "  barrier(CLK_GLOBAL_MEM_FENCE);"
      "  t[i] = y[(i + 1) % n];"
      "  barrier(CLK_GLOBAL_MEM_FENCE);"
      "  y[i] += t[i];"
      "}"
      "kernel void part(global float* y, int n) {"
      "  int i = get_global_id(0);"
      "  if (i < n) y[i] *= 2;"
      "}";
  static float values[kCount];
  const char* source = kSource;
  program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_mem x = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem y[4];
  for (int i = 0; i < 4; ++i) y[i] = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
  Run("first", y[0], NULL, 0, 1, 0);
  Run("first", y[0], NULL, 0, 0, 0);
  Run("blend", y[1], x, 0, 0, 0);
  Run("blend", y[1], x, 0, 0, 2);
  Run("pass", y[2], NULL, kCount, 0, 0);
  OK(clEnqueueWriteBuffer(queue, y[3], CL_TRUE, 0, sizeof(values) / 2, values, 0, NULL, NULL));
  Run("part", y[3], NULL, 0, kCount / 2, 0);
  for (int i = 0; i < 4; ++i) OK(clReleaseMemObject(y[i]));
  RELEASE(x, program);
}

// Atomic functions on new memory: the kernel sets its counter itself, exchanges its content, or updates a counter only
// where the data says so, which it never does; and a counter is set through a map.
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

static void CountersInRun(const char* name, cl_mem memory, cl_mem flags) {
  cl_kernel kernel = NewKernel(kSource, name);
  const size_t size = 64;
  OK(clSetKernelArg(kernel, 0, sizeof(memory), &memory));
  if (flags) OK(clSetKernelArg(kernel, 1, sizeof(flags), &flags));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

static void CountersInNewMemory(void) {
  static int none[64];
  cl_mem flags = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(none), none, &error));
  cl_mem counters[5];
  for (int i = 0; i < 5; ++i) counters[i] = New();
  CountersInRun("by_itself", counters[0], NULL);
  CountersInRun("plainly", counters[1], NULL);
  CountersInRun("exchange", counters[2], NULL);
  CountersInRun("where_set", counters[3], flags);
  cl_int* mapped = MADE(clEnqueueMapBuffer(queue, counters[4], CL_TRUE, CL_MAP_WRITE, 0, sizeof(cl_int), 0, NULL, NULL,
                                           &error));
  *mapped = 0;
  OK(clEnqueueUnmapMemObject(queue, counters[4], mapped, 0, NULL, NULL));
  CountersInRun("all_of_them", counters[4], NULL);
  cl_int result = 0;
  OK(clEnqueueReadBuffer(queue, counters[4], CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL));
  printf("%d\n", result);
  for (int i = 0; i < 5; ++i) OK(clReleaseMemObject(counters[i]));
  RELEASE(flags);
}

int main(void) {
  Open(0);
  SetBeforeTheUpdate();
  CountersInNewMemory();
  Close();
}
