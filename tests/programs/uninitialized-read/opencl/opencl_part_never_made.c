// Defect: Kernels read the part of a buffer or of an image that the program has not made.
// Fix: The program makes all parts.
#include "common/opencl.h"

// Defect: The program makes the second level of an image pyramid, but not the first one, from which it is made.
// Fix: The program makes both levels.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=halve
enum { kLevels = 3, kWidth = 32 };

static void LevelNeverMade(void) {
  cl_kernel kernel = NewKernel(
      "kernel void halve(read_only image2d_t in, write_only image2d_t out) {"
      "  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |"
      "                            CLK_FILTER_NEAREST;"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, read_imageui(in, nearest, 2 * at));"
      "}",
      "halve");
  static unsigned char texels[kWidth * kWidth * 4];
  cl_mem levels[kLevels];
  for (int i = 0; i < kLevels; ++i) {
    const cl_image_desc shape = Image2D(kWidth >> i, kWidth >> i);
    levels[i] = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  }
  const size_t whole[3] = {kWidth, kWidth, 1};
  OK(clEnqueueWriteImage(queue, levels[0], CL_TRUE, kOrigin, whole, 0, 0, texels, 0, NULL, NULL));
#ifdef DEFECT
  const int first = 2;
#else
  const int first = 1;
#endif
  for (int i = first; i < kLevels; ++i) {
    const size_t items[2] = {kWidth >> i, kWidth >> i};
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &levels[i - 1]));
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &levels[i]));
    // @HERE
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  for (int i = 0; i < kLevels; ++i) OK(clReleaseMemObject(levels[i]));
  RELEASE(kernel);
}

// Defect: A prefix sum leaves out the pass that makes the offsets of the blocks, which the last pass adds.
// Fix: The program runs all three passes.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=add
static const char kSums[] =
    "kernel void sums(global const int* in, global int* out, local int* part) {"
    "  const int l = get_local_id(0);"
    "  part[l] = in[get_global_id(0)];"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  if (l == 0) {"
    "    int sum = 0;"
    "    for (int i = 0; i < get_local_size(0); ++i) sum += part[i];"
    "    out[get_group_id(0)] = sum;"
    "  }"
    "}";
static const char kOffsets[] =
    "kernel void offsets(global const int* in, global int* out) {"
    "  const int i = get_global_id(0);"
    "  int sum = 0;"
    "  for (int k = 0; k < i; ++k) sum += in[k];"
    "  out[i] = sum;"
    "}";
static const char kAdd[] =
    "kernel void add(global int* values, global const int* offsets) {"
    "  values[get_global_id(0)] += offsets[get_group_id(0)];"
    "}";

static void OffsetsOfBlocks(void) {
  static cl_int values[4096];
  const size_t items = 4096, block = 64, blocks = items / block;
  cl_kernel kernels[3] = {NewKernel(kSums, "sums"), NewKernel(kOffsets, "offsets"), NewKernel(kAdd, "add")};
  cl_mem data = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem sums = MADE(clCreateBuffer(context, 0, blocks * sizeof(cl_int), NULL, &error));
  cl_mem offsets = MADE(clCreateBuffer(context, 0, blocks * sizeof(cl_int), NULL, &error));
  OK(clSetKernelArg(kernels[0], 0, sizeof(data), &data));
  OK(clSetKernelArg(kernels[0], 1, sizeof(sums), &sums));
  OK(clSetKernelArg(kernels[0], 2, block * sizeof(cl_int), NULL));
  OK(clSetKernelArg(kernels[1], 0, sizeof(sums), &sums));
  OK(clSetKernelArg(kernels[1], 1, sizeof(offsets), &offsets));
  OK(clSetKernelArg(kernels[2], 0, sizeof(data), &data));
  OK(clSetKernelArg(kernels[2], 1, sizeof(offsets), &offsets));
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, &block, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueNDRangeKernel(queue, kernels[1], 1, NULL, &blocks, NULL, 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernels[2], 1, NULL, &items, &block, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, data, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  for (int i = 0; i < 3; ++i) OK(clReleaseKernel(kernels[i]));
  RELEASE(offsets, sums, data);
}

// Defect: Four tables are parts of one buffer. The program fills three, and a kernel looks values up in the fourth.
// Fix: The program fills all tables.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=map
enum { kTables = 4, kEntries = 256, kItems = 1024 };

static void OneTableOfSeveral(void) {
  cl_kernel kernel = NewKernel(
      "kernel void map(global const uchar* in, global const float* table, global float* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = table[in[i]];"
      "}",
      "map");
  static unsigned char indices[kItems];
  static float values[kEntries];
  const size_t items = kItems;
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(indices), indices, &error));
  cl_mem all = MADE(clCreateBuffer(context, 0, kTables * sizeof(values), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(float), NULL, &error));
  cl_mem tables[kTables];
#ifdef DEFECT
  const int filled = kTables - 1;
#else
  const int filled = kTables;
#endif
  for (int i = 0; i < kTables; ++i) {
    const cl_buffer_region region = {i * sizeof(values), sizeof(values)};
    tables[i] = MADE(clCreateSubBuffer(all, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    if (i < filled)
      OK(clEnqueueWriteBuffer(queue, tables[i], CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  }
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  for (int i = 0; i < kTables; ++i) {
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &tables[i]));
    // @HERE_3
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  for (int i = 0; i < kTables; ++i) OK(clReleaseMemObject(tables[i]));
  RELEASE(out, all, in, kernel);
}

// Defect: The program writes the first half of a buffer, and a kernel reads the sub-buffer of the second half.
// Fix: The kernel reads the sub-buffer of the first half.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_4
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
static void OtherHalfOfABuffer(void) {
  enum { kItems = 1024 };
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + 1;"
      "}",
      "add");
  static cl_int values[kItems];
  const size_t items = kItems, bytes = sizeof(values);
  cl_mem both = MADE(clCreateBuffer(context, 0, 2 * bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  const cl_buffer_region regions[2] = {{0, bytes}, {bytes, bytes}};
  cl_mem halves[2];
  for (int i = 0; i < 2; ++i) {
    halves[i] = MADE(clCreateSubBuffer(both, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], &error));
  }
  OK(clEnqueueWriteBuffer(queue, halves[0], CL_TRUE, 0, bytes, values, 0, NULL, NULL));
#ifdef DEFECT
  cl_mem in = halves[1];
#else
  cl_mem in = halves[0];
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  // The kernel writes the second half, which is then an input.
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &halves[0]));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &halves[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &halves[1]));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(halves[i]));
  RELEASE(both, out, kernel);
}

int main(void) {
  Open(0);
  LevelNeverMade();
  OffsetsOfBlocks();
  OneTableOfSeveral();
  OtherHalfOfABuffer();
  Close();
}
