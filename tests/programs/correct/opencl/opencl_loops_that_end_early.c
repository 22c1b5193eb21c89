// Loops whose last iterations do not run: they end where the data says so, their counts are smaller
// than the buffer of the other kernel, or a condition leaves most iterations out.
#include "common/opencl_pairs.h"

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

int main(void) {
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
