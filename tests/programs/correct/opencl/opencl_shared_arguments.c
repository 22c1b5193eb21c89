// Kernels share buffers: by several arguments, on two queues, or by a condition.
#include "common/opencl.h"

// One buffer for several arguments of a kernel, two halves in turn, and a pointer that is one of
// several arguments: what was written by one name is read by another. All launches are ordered.
static void AliasingArguments(void) {
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
  RELEASE(choose, add, step, buffer, other, program);
}

// A kernel uses an argument only if a flag says so, or if it has a work item for it. The host and
// another kernel use the buffer meanwhile.
static void ArgumentsUsedByCondition(void) {
  static const char* const kSource =
      "kernel void copy(global int* from, global int* to, global int* debug, int with_debug) {\n"
      "  size_t i = get_global_id(0);\n"
      "  to[i] = from[i];\n"
      "  if (with_debug) debug[i] = 1;\n"
      "}\n"
      "kernel void first(global int* from, global int* to, int count) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i >= count) return;\n"
      "  to[i] = from[i];\n"
      "}\n"
      "kernel void ignores(global int* from, global int* to, global int* unused) {\n"
      "  to[get_global_id(0)] = from[get_global_id(0)];\n"
      "}\n";
  cl_command_queue other = NewQueue(0);
  cl_program program =
      MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  static int data[64];
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem buffers[3];
  for (int i = 0; i < 3; ++i)
    buffers[i] = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const char* const names[] = {"copy", "first", "ignores"};
  for (int i = 0; i < 3; ++i) {
    cl_kernel kernel = MADE(clCreateKernel(program, names[i], &error));
    const cl_int none = 0, some = 32;
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]));
    if (i != 1) OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffers[2]));
    if (i == 0) OK(clSetKernelArg(kernel, 3, sizeof(none), &none));
    if (i == 1) OK(clSetKernelArg(kernel, 2, sizeof(some), &some));
    const size_t items = 64;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    if (i == 1) {
      // The kernel ends at the first half.
      OK(clEnqueueWriteBuffer(other, buffers[1], CL_TRUE, 128, 128, data, 0, NULL, NULL));
    } else {
      OK(clEnqueueWriteBuffer(other, buffers[2], CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    }
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(buffers[i]));
  RELEASE(program, other);
}

// Kernels on two queues that nothing orders, with a buffer in common: both only read it, or both
// change it by atomic operations only, or each has its own half, every second element or its own
// columns. No parameter is const.
static cl_program program;
static cl_command_queue other;

static cl_kernel Kernel(const char* name, cl_mem first, cl_mem second) {
  cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(first), &first));
  if (second != NULL) OK(clSetKernelArg(kernel, 1, sizeof(second), &second));
  return kernel;
}

// Launches both without order, waits and releases them.
static void Both(cl_kernel one, cl_kernel two, cl_uint dimensions, const size_t* items,
                 const size_t* group) {
  OK(clEnqueueNDRangeKernel(queue, one, dimensions, NULL, items, group, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, two, dimensions, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseKernel(one));
  OK(clReleaseKernel(two));
}

static void KernelsThatShareABuffer(void) {
  static const char* const kSource =
      "kernel void sum(global int* in, global int* out) { out[get_global_id(0)] = "
      "in[get_global_id(0)] + in[0]; }\n"
      "kernel void count(global int* in, global int* total) { atomic_add(total, "
      "in[get_global_id(0)]); }\n"
      "kernel void low(global int* a, global int* b) { a[get_global_id(0)] = b[get_global_id(0)]; }\n"
      "kernel void high(global int* a, global int* b) { a[get_global_id(0) + 64] = "
      "b[get_global_id(0)]; }\n"
      "kernel void even(global int* a, global int* b) { a[2 * get_global_id(0)] = "
      "b[get_global_id(0)]; }\n"
      "kernel void odd(global int* a, global int* b) { a[2 * get_global_id(0) + 1] = "
      "b[get_global_id(0)]; }\n"
      "kernel void column(global int* a, int width, int first) {\n"
      "  a[get_global_id(1) * width + get_global_id(0) + first] = 1;\n"
      "}\n"
      "kernel void groups(global int* a, local int* sums, int first) {\n"
      "  sums[get_local_id(0)] = get_local_id(0);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_local_id(0) == 0) a[get_group_id(0) + first] = sums[1];\n"
      "}\n";
  other = NewQueue(0);
  program = MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  static int data[128];
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem shared = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_mem first = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_mem second = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const size_t items[2] = {64, 1};
  Both(Kernel("sum", shared, first), Kernel("sum", shared, second), 1, items, NULL);
  Both(Kernel("count", first, shared), Kernel("count", second, shared), 1, items, NULL);
  Both(Kernel("low", shared, first), Kernel("high", shared, second), 1, items, NULL);
  Both(Kernel("even", shared, first), Kernel("odd", shared, second), 1, items, NULL);
  const size_t square[2] = {8, 8};
  cl_kernel columns[2];
  cl_kernel groups[2];
  for (int i = 0; i < 2; ++i) {
    const cl_int width = 16, begin = 8 * i, at = 4 * i;
    columns[i] = Kernel("column", shared, NULL);
    OK(clSetKernelArg(columns[i], 1, sizeof(width), &width));
    OK(clSetKernelArg(columns[i], 2, sizeof(begin), &begin));
    groups[i] = Kernel("groups", shared, NULL);
    OK(clSetKernelArg(groups[i], 1, 16 * sizeof(int), NULL));
    OK(clSetKernelArg(groups[i], 2, sizeof(at), &at));
  }
  Both(columns[0], columns[1], 2, square, NULL);
  const size_t group = 16;
  Both(groups[0], groups[1], 1, items, &group);
  RELEASE(shared, first, second, program, other);
}

// Kernels on two queues. One scatters into the upper half of a buffer, and, for negative values,
// into another buffer; there are no negative values. The others read the lower half and the other
// buffer.
static void ScatterIntoAnotherPart(void) {
  cl_command_queue other = NewQueue(0);
  cl_kernel scatter = NewKernel(
      "kernel void scatter(global const int* to, global int* values, global int* rest) {"
      "  int i = get_global_id(0);"
      "  values[to[i]] = i;"
      "  if (to[i] < 0) rest[-to[i]] = i;"
      "}",
      "scatter");
  const char* twice =
      "kernel void twice(global const int* values, global int* result) {"
      "  int i = get_global_id(0);"
      "  result[i] = 2 * values[i];"
      "}";
  cl_kernel of_half = NewKernel(twice, "twice"), of_rest = NewKernel(twice, "twice");
  int order[32], zeros[64] = {0};
  for (int i = 0; i < 32; ++i) order[i] = 32 + (17 * i) % 32;
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(order),
                                  order, &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      sizeof(zeros), zeros, &error));
  cl_mem rest = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof(zeros), zeros, &error));
  cl_mem results[2];
  for (int i = 0; i < 2; ++i)
    results[i] = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(zeros), NULL, &error));
  OK(clSetKernelArg(scatter, 0, sizeof(to), &to));
  OK(clSetKernelArg(scatter, 1, sizeof(values), &values));
  OK(clSetKernelArg(scatter, 2, sizeof(rest), &rest));
  OK(clSetKernelArg(of_half, 0, sizeof(values), &values));
  OK(clSetKernelArg(of_half, 1, sizeof(results[0]), &results[0]));
  OK(clSetKernelArg(of_rest, 0, sizeof(rest), &rest));
  OK(clSetKernelArg(of_rest, 1, sizeof(results[1]), &results[1]));
  const size_t half = 32, all = 64;
  OK(clEnqueueNDRangeKernel(queue, scatter, 1, NULL, &half, NULL, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, of_half, 1, NULL, &half, NULL, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, of_rest, 1, NULL, &all, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseMemObject(to));
  OK(clReleaseMemObject(values));
  OK(clReleaseMemObject(rest));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(results[i]));
  RELEASE(scatter, of_half, of_rest, other);
}

int main(void) {
  Open(0);
  AliasingArguments();
  ArgumentsUsedByCondition();
  KernelsThatShareABuffer();
  ScatterIntoAnotherPart();
  Close();
}
