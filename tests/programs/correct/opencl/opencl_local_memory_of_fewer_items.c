// Local memory has fewer elements than the work-group has work-items: only some of them use it, or all of them share
// elements. A launch with smaller groups reaches the end exactly.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 1024 * sizeof(float), NULL, &error));
  const char* source =
      "kernel void first(global float* out, local float* tile) {"
      "  size_t i = get_local_id(0);"
      "  if (i < 16) tile[i] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[i % 16];"
      "}"
      "kernel void folded(global float* out, local float* tile, int count) {"
      "  size_t i = get_local_id(0);"
      "  for (size_t at = i; at < count; at += get_local_size(0)) tile[at] = at;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  if (get_group_id(0) > 100000) out[0] = tile[i];"
      "  out[get_global_id(0)] = tile[i & 15];"
      "}"
      "kernel void pairs(global float* out, local float* tile) {"
      "  size_t i = get_local_id(0);"
      "  if (i % 4 == 0) tile[i / 4] = 1;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[i / 4];"
      "}"
      "kernel void each(global float* out, local float* tile) {"
      "  tile[get_local_id(0)] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[get_local_id(0)];"
      "}";
  const size_t items = 1024, group = 64, small_group = 16;
  const char* names[] = {"first", "folded", "pairs", "each"};
  for (int i = 0; i < 4; ++i) {
    cl_kernel kernel = NewKernel(source, names[i]);
    OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 1, 16 * sizeof(float), NULL));
    const cl_int count = 16;
    if (i == 1) OK(clSetKernelArg(kernel, 2, sizeof(count), &count));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, i == 3 ? &small_group : &group, 0, NULL, NULL));
    OK(clFinish(queue));
    // The last value of the argument counts.
    if (i == 3) {
      OK(clSetKernelArg(kernel, 1, group * sizeof(float), NULL));
      OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
      OK(clFinish(queue));
    }
    OK(clReleaseKernel(kernel));
  }
  CLOSE(out);
}
