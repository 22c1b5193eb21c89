// Loops of kernels on two queues access different parts of one buffer.
#include "common/opencl_pairs.h"

// A loop whose count is 0 or negative for this launch writes nothing; the host reads the buffer
// meanwhile, and its memory is smaller than the counts of other launches.
static void LoopWithoutAnIteration(void) {
  static const char* const kSource =
      "kernel void rows(global int* a, global int* ran, int count) {\n"
      "  for (int k = 0; k < count; ++k) a[get_global_id(0) * count + k] = k;\n"
      "  ran[get_global_id(0)] = 1;\n"
      "}\n"
      "kernel void tail(global int* a, global int* ran, int count) {\n"
      "  for (int i = 64 + get_global_id(0); i < count; i += get_global_size(0)) a[i] = i;\n"
      "  ran[get_global_id(0)] = 1;\n"
      "}\n";
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(256), ran = NewFilled(256);
  static cl_int values[64];
  const char* const names[] = {"rows", "rows", "tail"};
  const cl_int counts[] = {0, -7, 64};
  for (int i = 0; i < 3; ++i) {
    cl_kernel kernel = PairKernel(names[i]);
    SetBuffer(kernel, 0, buffer);
    SetBuffer(kernel, 1, ran);
    SetNumber(kernel, 2, counts[i]);
    LaunchOn(queue, kernel, 64);
    OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(ran));
  ClosePairs();
}

// Kernels on two queues loop over parts of one buffer: each has its own half by a loop that strides
// over the launch, its own row by a counter, its own rows from the end, or every second element.
static cl_kernel Part(const char* name, cl_mem buffer, int first, int second) {
  cl_kernel kernel = PairKernel(name);
  SetBuffer(kernel, 0, buffer);
  SetNumber(kernel, 1, first);
  SetNumber(kernel, 2, second);
  return kernel;
}

static void LoopsOverDisjointParts(void) {
  static const char* const kSource =
      "kernel void stride(global int* a, int begin, int end) {\n"
      "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) a[i] += i;\n"
      "}\n"
      "kernel void rows(global int* a, int first, int count) {\n"
      "  for (int k = 0; k < count; ++k) a[(first + get_global_id(0)) * count + k] = k;\n"
      "}\n"
      "kernel void down(global int* a, int first, int count) {\n"
      "  for (int k = count - 1; k >= 0; --k) a[(first + get_global_id(0)) * count + k] = k;\n"
      "}\n"
      "kernel void alternate(global int* a, int first, int end) {\n"
      "  int i = first + 2 * get_global_id(0);\n"
      "  for (; i < end; i += 2 * get_global_size(0)) a[i] = i;\n"
      "}\n";
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(4096);
  LaunchBoth(Part("stride", buffer, 0, 512), Part("stride", buffer, 512, 1024), 64);
  LaunchBoth(Part("stride", buffer, 0, 500), Part("stride", buffer, 500, 501), 64);
  LaunchBoth(Part("stride", buffer, 0, 1024), Part("stride", buffer, 1024, 1024), 64);
  LaunchBoth(Part("rows", buffer, 0, 16), Part("rows", buffer, 32, 16), 32);
  LaunchBoth(Part("down", buffer, 0, 16), Part("down", buffer, 32, 16), 32);
  LaunchBoth(Part("rows", buffer, 0, 32), Part("down", buffer, 16, 32), 16);
  LaunchBoth(Part("alternate", buffer, 0, 1024), Part("alternate", buffer, 1, 1024), 64);
  OK(clReleaseMemObject(buffer));
  ClosePairs();
}

// Loops whose last iterations do not run: they end where the data says so, their counts are smaller
// than the buffer of the other kernel, or a condition leaves most iterations out.
static void LoopsThatEndEarly(void) {
  static const char* const kSource =
      "kernel void until(global int* a, int count) {\n"
      "  for (int i = 0; i < count; ++i) {\n"
      "    if (a[i] != 0) break;\n"
      "    if (get_global_id(0) == 0) a[i] = 0;\n"
      "  }\n"
      "}\n"
      "kernel void few(global int* a, int count, int most) {\n"
      "  for (int i = get_global_id(0); i < count; i += get_global_size(0))\n"
      "    if (i < most) a[i] = i;\n"
      "}\n"
      "kernel void copy(global int* a, global int* b, int first) {\n"
      "  a[first + get_global_id(0)] = b[get_global_id(0)];\n"
      "}\n";
  OpenPairs(kSource);
  cl_mem first = NewFilled(1024), second = NewFilled(1024);
  const cl_int one = 1;
  OK(clEnqueueWriteBuffer(queue, first, CL_TRUE, 128, sizeof(one), &one, 0, NULL, NULL));
  for (int round = 0; round < 2; ++round) {
    cl_kernel loop = PairKernel(round == 0 ? "until" : "few"), copy = PairKernel("copy");
    SetBuffer(loop, 0, first);
    SetNumber(loop, 1, 256);
    if (round == 1) SetNumber(loop, 2, 33);
    SetBuffer(copy, 0, first);
    SetBuffer(copy, 1, second);
    SetNumber(copy, 2, 64);
    LaunchBoth(loop, copy, 64);
  }
  OK(clReleaseMemObject(first));
  OK(clReleaseMemObject(second));
  ClosePairs();
}

// Loops through sub-buffers of one buffer on two queues, each to the end of its own part, and a
// kernel that reads a third part through the buffer itself.
static void LoopsThroughSubBuffers(void) {
  static const char* const kSource =
      "kernel void fill(global int* a, int count) {\n"
      "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) a[i] = i;\n"
      "}\n"
      "kernel void sum(global int* a, int first, int count, global int* out) {\n"
      "  int sum = 0;\n"
      "  for (int i = first; i < first + count; ++i) sum += a[i];\n"
      "  out[get_global_id(0)] = sum;\n"
      "}\n";
  OpenPairs(kSource);
  cl_uint alignment = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(alignment), &alignment, NULL));
  const size_t part = alignment / 8;
  cl_mem buffer = NewFilled(3 * part), out = NewFilled(256);
  cl_mem parts[2];
  cl_kernel fills[2];
  for (int i = 0; i < 2; ++i) {
    const cl_buffer_region region = {i * part, part};
    parts[i] = MADE(clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &region, &error));
    fills[i] = PairKernel("fill");
    SetBuffer(fills[i], 0, parts[i]);
    SetNumber(fills[i], 1, (cl_int)(part / sizeof(cl_int)));
  }
  cl_kernel sum = PairKernel("sum");
  SetBuffer(sum, 0, buffer);
  SetNumber(sum, 1, (cl_int)(2 * part / sizeof(cl_int)));
  SetNumber(sum, 2, (cl_int)(part / sizeof(cl_int)));
  SetBuffer(sum, 3, out);
  cl_command_queue third = NewQueue(0);
  LaunchOn(third, sum, 64);
  LaunchBoth(fills[0], fills[1], 64);
  OK(clFinish(third));
  OK(clReleaseKernel(sum));
  OK(clReleaseCommandQueue(third));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(parts[i]));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(out));
  ClosePairs();
}

// A kernel stores through pointers that it loads in a loop from a table in shared virtual memory.
// What else it writes is not known: a copy on another queue uses memory that is not in the table.
static void TableOfPointersInLoops(void) {
  static const char* const kSource =
      "kernel void fill(global int* global* table, int tables, global int* out) {\n"
      "  for (int t = 0; t < tables; ++t) table[t][get_global_id(0)] = t;\n"
      "  out[get_global_id(0)] = 1;\n"
      "}\n";
  OpenPairs(kSource);
  int** table = clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * sizeof(int*), 0);
  int* blocks[3];
  for (int i = 0; i < 3; ++i) blocks[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0);
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, table, 2 * sizeof(int*), 0, NULL, NULL));
  table[0] = blocks[0];
  table[1] = blocks[1];
  OK(clEnqueueSVMUnmap(queue, table, 0, NULL, NULL));
  cl_mem out = NewFilled(256);
  cl_kernel kernel = PairKernel("fill");
  OK(clSetKernelArgSVMPointer(kernel, 0, table));
  SetNumber(kernel, 1, 2);
  SetBuffer(kernel, 2, out);
  const void* used[] = {blocks[0], blocks[1]};
  OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(used), used));
  LaunchOn(queue, kernel, 64);
  const cl_int zero = 0;
  OK(clEnqueueSVMMemFill(other, blocks[2], &zero, sizeof(zero), 256, 0, NULL, NULL));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  for (int i = 0; i < 3; ++i) clSVMFree(context, blocks[i]);
  clSVMFree(context, table);
  ClosePairs();
}

int main(void) {
  LoopWithoutAnIteration();
  LoopsOverDisjointParts();
  LoopsThatEndEarly();
  LoopsThroughSubBuffers();
  TableOfPointersInLoops();
}
