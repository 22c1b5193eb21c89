// Looks wrong: Kernels update memory that no command has written. They write it first, read it only
// if a factor is not 0, or are launched over the written part.
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  CLOSE(x, program);
}
