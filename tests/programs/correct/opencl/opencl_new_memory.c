// Programs write a part of new memory, and the rest is not used or does not matter.
#include "common/opencl.h"

// Programs write the part of a buffer that they need and read, map or copy all of it; they map new
// memory for reading and writing; kernels have images that they do not read.
static const char* const kSource =
    "kernel void plain(read_only image2d_t in, read_only image2d_t previous, global uint4* out,"
    "                  int with_previous) {"
    "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "                          CLK_FILTER_NEAREST;"
    "  int x = get_global_id(0), y = get_global_id(1);"
    "  uint4 value = read_imageui(in, exact, (int2)(x, y));"
    "  if (with_previous) value += read_imageui(previous, exact, (int2)(x, y));"
    "  out[y * get_global_size(0) + x] = value;"
    "}";

static void PartsOfNewMemory(void) {
  static char result[4096];
  char* data = calloc(1, 4096);
  cl_mem quarter = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // A quarter from a block of its own size, the header of a structure, two of four slots.
  char* part = calloc(1, 1024);
  OK(clEnqueueWriteBuffer(queue, quarter, CL_TRUE, 0, 1024, part, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, quarter, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  free(part);
  struct {
    int count, values[31];
  } list = {0, {0}};
  cl_mem lists = MADE(clCreateBuffer(context, 0, sizeof(list), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, lists, CL_TRUE, 0, sizeof(list.count), &list, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, lists, CL_TRUE, 0, sizeof(list), &list, 0, NULL, NULL));
  cl_mem slots = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_uint zero = 0;
  for (int i = 0; i < 2; ++i)
    OK(clEnqueueFillBuffer(queue, slots, &zero, 4, i * 1024, 1024, 0, NULL, NULL));
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, slots, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, slots, mapped, 0, NULL, NULL));
  // The buffer grows: all of the old one is copied, written or not.
  cl_mem grown = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueCopyBuffer(queue, slots, grown, 0, 0, 4096, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, grown, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  // The program writes through the pointer.
  cl_mem fresh = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  mapped = MADE(clEnqueueMapBuffer(queue, fresh, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 4096, 0,
                                   NULL, NULL, &error));
  memset(mapped, 1, 4096);
  OK(clEnqueueUnmapMemObject(queue, fresh, mapped, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, fresh, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  // There is no previous picture yet.
  const cl_image_desc shape = Image2D(16, 16);
  const size_t region[3] = {16, 16, 1};
  cl_mem in = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem previous = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueWriteImage(queue, in, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(kSource, "plain");
  const cl_int with_previous = 0;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(previous), &previous));
  OK(clSetKernelArg(kernel, 2, sizeof(fresh), &fresh));
  OK(clSetKernelArg(kernel, 3, sizeof(with_previous), &with_previous));
  const size_t items[2] = {16, 16};
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  const cl_mem all[] = {previous, in, fresh, grown, slots, lists, quarter};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) OK(clReleaseMemObject(all[i]));
  free(data);
}

// Buffers are filled to a quarter or an eighth from host blocks of the same capacity, and are read
// or mapped as a whole.
static void CapacityFilledInPart(void) {
  const size_t capacity = 512 * sizeof(double);
  char* values = calloc(1, capacity);
  for (size_t i = 0; i < capacity; ++i) values[i] = (char)i;
  for (size_t parts = 2; parts <= 16; parts *= 2) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, capacity, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, capacity / parts, values, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, capacity, values, 0, NULL, NULL));
    void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, capacity, 0,
                                           NULL, NULL, &error));
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(buffer));
  }
  free(values);
}

// A buffer is larger than its data, and the kernel is launched for the data: nothing is used that
// was not written.
static void BufferWithRoomToSpare(void) {
  float data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, 0, 4 * sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 4 * sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%g\n", result[63]);
  RELEASE(out, in, kernel);
}

// A table of records has a head in each record. A program reads one whole record, whose size is
// that of all heads together.
static void RecordOfATable(void) {
  static char head[64], record[256];
  cl_mem table = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  for (size_t i = 0; i < 4; ++i) {
    OK(clEnqueueWriteBuffer(queue, table, CL_TRUE, i * sizeof(record), sizeof(head), head, 0, NULL,
                            NULL));
  }
  OK(clEnqueueReadBuffer(queue, table, CL_TRUE, 0, sizeof(record), record, 0, NULL, NULL));
  RELEASE(table);
}

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
  static const char kUpdatesOfSource[] =
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
  const char* source = kUpdatesOfSource;
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

// Atomic functions on new memory: the kernel sets its counter itself, exchanges its content, or
// updates a counter only where the data says so, which it never does; and a counter is set through
// a map.
static const char kUpdatesOfSource[] =
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
  cl_kernel kernel = NewKernel(kUpdatesOfSource, name);
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
  cl_int* mapped = MADE(clEnqueueMapBuffer(queue, counters[4], CL_TRUE, CL_MAP_WRITE, 0,
                                           sizeof(cl_int), 0, NULL, NULL, &error));
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
  PartsOfNewMemory();
  CapacityFilledInPart();
  BufferWithRoomToSpare();
  RecordOfATable();
  SetBeforeTheUpdate();
  CountersInNewMemory();
  Close();
}
