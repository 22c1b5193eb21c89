// Reductions: each group writes one sum, the sums of two launches are neighbours, and the total is
// an atomic addition of both. The input is shared and read by loops.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void reduce(global const int* in, global int* sums, volatile global int* total,\n"
    "                   local int* scratch, int count, int first) {\n"
    "  int sum = 0;\n"
    "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];\n"
    "  scratch[get_local_id(0)] = sum;\n"
    "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) < s) scratch[get_local_id(0)] += scratch[get_local_id(0) + s];\n"
    "  }\n"
    "  if (get_local_id(0) == 0) {\n"
    "    sums[first + get_group_id(0)] = scratch[0];\n"
    "    atomic_add(total, scratch[0]);\n"
    "  }\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  cl_mem in = NewFilled(4096), sums = NewFilled(64), total = NewFilled(4);
  cl_kernel kernels[2];
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("reduce");
    SetBuffer(kernels[i], 0, in);
    SetBuffer(kernels[i], 1, sums);
    SetBuffer(kernels[i], 2, total);
    OK(clSetKernelArg(kernels[i], 3, 16 * sizeof(cl_int), NULL));
    SetNumber(kernels[i], 4, 1024);
    SetNumber(kernels[i], 5, 4 * i);
  }
  const size_t items = 64, group = 16;
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(sums));
  OK(clReleaseMemObject(total));
  ClosePairs();
}
