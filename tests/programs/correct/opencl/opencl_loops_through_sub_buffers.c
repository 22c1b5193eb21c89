// Loops through sub-buffers of one buffer on two queues, each to the end of its own part, and a
// kernel that reads a third part through the buffer itself.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void fill(global int* a, int count) {\n"
    "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) a[i] = i;\n"
    "}\n"
    "kernel void sum(global int* a, int first, int count, global int* out) {\n"
    "  int sum = 0;\n"
    "  for (int i = first; i < first + count; ++i) sum += a[i];\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  cl_uint alignment = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(alignment), &alignment, NULL));
  const size_t part = alignment / 8;
  cl_mem buffer = NewFilled(3 * part), out = NewFilled(256);
  cl_mem parts[2];
  cl_kernel fills[2];
  for (int i = 0; i < 2; ++i) {
    const cl_buffer_region region = {i * part, part};
    parts[i] = MADE(clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &region, &error));
    fills[i] = PairKernel("fill");
    SetBuffer(fills[i], 0, parts[i]);
    SetNumber(fills[i], 1, (cl_int)(part / sizeof(cl_int)));
  }
  cl_kernel sum = PairKernel("sum");
  SetBuffer(sum, 0, buffer);
  SetNumber(sum, 1, (cl_int)(2 * part / sizeof(cl_int)));
  SetNumber(sum, 2, (cl_int)(part / sizeof(cl_int)));
  SetBuffer(sum, 3, out);
  cl_command_queue third = NewQueue(0);
  LaunchOn(third, sum, 64);
  LaunchBoth(fills[0], fills[1], 64);
  OK(clFinish(third));
  OK(clReleaseKernel(sum));
  OK(clReleaseCommandQueue(third));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(parts[i]));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(out));
  ClosePairs();
}
