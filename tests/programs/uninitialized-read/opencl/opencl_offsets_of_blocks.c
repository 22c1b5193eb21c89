// Defect: A prefix sum leaves out the pass that makes the offsets of the blocks, which the last pass adds.
// Fix: The program runs all three passes.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=add
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernels[2], 1, NULL, &items, &block, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, data, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  for (int i = 0; i < 3; ++i) OK(clReleaseKernel(kernels[i]));
  CLOSE(offsets, sums, data);
}
