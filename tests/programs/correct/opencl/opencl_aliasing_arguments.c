// One buffer for several arguments of a kernel, two halves in turn, and a pointer that is one of
// several arguments: what was written by one name is read by another. All launches are ordered.
#include "common/opencl.h"

static const char* const kSource =
    "kernel void add(global int* a, global int* b, global int* sum) {\n"
    "  size_t i = get_global_id(0);\n"
    "  sum[i] = a[i] + b[i];\n"
    "}\n"
    "kernel void choose(global int* a, global int* b, int second) {\n"
    "  global int* to = second ? b : a;\n"
    "  to[get_global_id(0)] = 3;\n"
    "}\n"
    "kernel void advance(global int* cells, int from, int to) {\n"
    "  size_t i = get_global_id(0);\n"
    "  cells[to + i] = cells[from + i] + 1;\n"
    "}\n";

int main(void) {
  Open(0);
  cl_program program =
      MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  static int data[128];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_mem other = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  const size_t items = 128, half = 64;
  cl_kernel choose = MADE(clCreateKernel(program, "choose", &error));
  for (cl_int second = 0; second < 2; ++second) {
    OK(clSetKernelArg(choose, 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(choose, 1, sizeof(other), &other));
    OK(clSetKernelArg(choose, 2, sizeof(second), &second));
    OK(clEnqueueNDRangeKernel(queue, choose, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  cl_kernel add = MADE(clCreateKernel(program, "add", &error));
  for (cl_uint i = 0; i < 3; ++i) OK(clSetKernelArg(add, i, sizeof(buffer), &buffer));
  OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  cl_kernel step = MADE(clCreateKernel(program, "advance", &error));
  OK(clSetKernelArg(step, 0, sizeof(buffer), &buffer));
  for (int i = 0; i < 4; ++i) {
    const cl_int from = i % 2 * 64, to = 64 - from;
    OK(clSetKernelArg(step, 1, sizeof(from), &from));
    OK(clSetKernelArg(step, 2, sizeof(to), &to));
    OK(clEnqueueNDRangeKernel(queue, step, 1, NULL, &half, NULL, 0, NULL, NULL));
  }
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  CLOSE(choose, add, step, buffer, other, program);
}
