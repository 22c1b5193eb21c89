// Defect: A kernel declares a tile for 16 x 16 work-items, and is launched with work-groups of 32 x 16.
// Fix: It is launched with work-groups of 16 x 16.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=transpose
// EXPECT-FACT variable=tile
// EXPECT-FACT local_bytes=1024
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
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
#ifdef DEFECT
  const size_t group[2] = {32, 16};
#else
  const size_t group[2] = {16, 16};
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  // Smaller groups.
  const size_t small[2] = {8, 4};
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, small, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
