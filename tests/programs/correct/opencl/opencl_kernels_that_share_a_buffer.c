// Kernels on two queues that nothing orders, with a buffer in common: both only read it, or both
// change it by atomic operations only, or each has its own half, every second element or its own
// columns. No parameter is const.
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  CLOSE(shared, first, second, program, other);
}
