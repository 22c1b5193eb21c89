// Defect: async_work_group_copy reads a tile that ends behind the buffer.
// Fix: The buffer has room for all tiles.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sum
// EXPECT-FACT outside_bytes=64
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel sum = NewKernel(
      "kernel void sum(global const int* values, global int* out) {"
      "  local int tile[64];"
      "  event_t copied = async_work_group_copy(tile, values + 64 * get_group_id(0), 64, 0);"
      "  wait_group_events(1, &copied);"
      "  out[get_global_id(0)] = tile[get_local_id(0)] + tile[63 - get_local_id(0)];"
      "}",
      "sum");
#ifdef DEFECT
  const size_t bytes = 240 * sizeof(cl_int);
#else
  const size_t bytes = 256 * sizeof(cl_int);
#endif
  // Behind the values there is room for more.
  static cl_int host[320];
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 256 * sizeof(cl_int), NULL, &error));
  OK(clSetKernelArg(sum, 0, sizeof(values), &values));
  OK(clSetKernelArg(sum, 1, sizeof(out), &out));
  const size_t items = 256, group = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, values, sum);
}
