// Programs write a part of a new buffer, and the rest is not used or does not matter.
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

int main(void) {
  Open(0);
  PartsOfNewMemory();
  CapacityFilledInPart();
  BufferWithRoomToSpare();
  RecordOfATable();
  Close();
}
