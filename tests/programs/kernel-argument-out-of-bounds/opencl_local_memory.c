// Defect too_small: The local memory has room for a quarter of the work-group.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=reverse
// EXPECT-FACT argument=1
// EXPECT-FACT local_bytes=64
// EXPECT-FACT last_byte=255
// EXIT any
// Defect copies_too_much: Each group copies as many elements as an argument says into local memory
// that has room for fewer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=2
// EXPECT-FACT kernel=tiles
// EXPECT-FACT local_bytes=128
// EXPECT-FACT last_byte=191
// EXIT any
// Defect smaller_than_the_group: A kernel declares a tile for 16 x 16 work-items, and is launched
// with work-groups of 32 x 16.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT kernel=transpose
// EXPECT-FACT variable=tile
// EXPECT-FACT local_bytes=1024
// EXIT any
// Fix: The local memory has an element for each access of the group.
#include "common/opencl.h"

// Fix: It has an element for each work-item of the group.
static void TooSmall(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 1024 * sizeof(float), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void reverse(global float* out, local float* tile) {"
      "  tile[get_local_id(0)] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];"
      "}",
      "reverse");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT_too_small
  const size_t room = 64;
#else
  const size_t room = 64 * sizeof(float);
#endif
  OK(clSetKernelArg(kernel, 1, room, NULL));
  const size_t items = 1024, group = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Fix: The local memory has room for them.
static const char kSource[] =
    "kernel void tiles(global const float* in, global float* out, local float* tile, int count) {\n"
    "  event_t copy = async_work_group_copy(tile, in + get_group_id(0) * count, count, 0);\n"
    "  wait_group_events(1, &copy);\n"
    "  out[get_global_id(0)] = tile[get_local_id(0)];\n"
    "}\n";

static void CopiesTooMuch(void) {
  enum { kItems = 256, kGroup = 32, kCount = 48 };
  cl_kernel kernel = NewKernel(kSource, "tiles");
  static cl_float host[kItems / kGroup * kCount];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(cl_float), NULL, &error));
#ifdef DEFECT_copies_too_much
  const size_t room = kGroup * sizeof(cl_float);
#else
  const size_t room = kCount * sizeof(cl_float);
#endif
  const cl_int count = kCount;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, room, NULL));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = kItems, group = kGroup;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, in, out);
}

// Fix: It is launched with work-groups of 16 x 16.
static void SmallerThanTheGroup(void) {
  enum { kSize = 64 };
  cl_kernel kernel = NewKernel(
      "kernel void transpose(global const float* in, global float* out) {"
      "  local float tile[16][16];"
      "  local int row[16];"
      "  const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);"
      "  row[ly] = y;"
      "  tile[lx][ly] = in[y * get_global_size(0) + x];"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[x * get_global_size(1) + y] = tile[lx][ly] + row[ly];"
      "}",
      "transpose");
  static cl_float values[kSize * kSize];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(values), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items[2] = {kSize, kSize};
#ifdef DEFECT_smaller_than_the_group
  const size_t group[2] = {32, 16};
#else
  const size_t group[2] = {16, 16};
#endif
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  // Smaller groups.
  const size_t small[2] = {8, 4};
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, small, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel);
}

int main(void) {
  Open(0);
  TooSmall();
  CopiesTooMuch();
  SmallerThanTheGroup();
  Close();
}
