// Products of matrices by tiles on two queues: the rows of the result are halves, the factors are
// read by both in nested loops, and the tiles are in local memory.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void multiply(global float* a, global float* b, global float* c, int n, int row) {\n"
    "  local float left[8][8], right[8][8];\n"
    "  int x = get_global_id(0), y = row + get_global_id(1);\n"
    "  int lx = get_local_id(0), ly = get_local_id(1);\n"
    "  float sum = 0;\n"
    "  for (int tile = 0; tile < n; tile += 8) {\n"
    "    left[ly][lx] = a[y * n + tile + lx];\n"
    "    right[ly][lx] = b[(tile + ly) * n + x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < 8; ++k) sum += left[ly][k] * right[k][lx];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[y * n + x] = sum;\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  const cl_int n = 32;
  cl_mem matrices[3];
  for (int i = 0; i < 3; ++i) matrices[i] = NewFilled(n * n * sizeof(cl_float));
  cl_kernel kernels[2];
  const size_t items[2] = {32, 16}, group[2] = {8, 8};
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("multiply");
    for (cl_uint j = 0; j < 3; ++j) SetBuffer(kernels[i], j, matrices[j]);
    SetNumber(kernels[i], 3, n);
    SetNumber(kernels[i], 4, 16 * i);
    OK(clEnqueueNDRangeKernel(i == 0 ? queue : other, kernels[i], 2, NULL, items, group, 0, NULL,
                              NULL));
  }
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(matrices[i]));
  ClosePairs();
}
