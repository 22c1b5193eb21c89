// Kernels on two queues loop over parts of one buffer: each has its own half by a loop that strides
// over the launch, its own row by a counter, its own rows from the end, or every second element.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void stride(global int* a, int begin, int end) {\n"
    "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) a[i] += i;\n"
    "}\n"
    "kernel void rows(global int* a, int first, int count) {\n"
    "  for (int k = 0; k < count; ++k) a[(first + get_global_id(0)) * count + k] = k;\n"
    "}\n"
    "kernel void down(global int* a, int first, int count) {\n"
    "  for (int k = count - 1; k >= 0; --k) a[(first + get_global_id(0)) * count + k] = k;\n"
    "}\n"
    "kernel void alternate(global int* a, int first, int end) {\n"
    "  int i = first + 2 * get_global_id(0);\n"
    "  for (; i < end; i += 2 * get_global_size(0)) a[i] = i;\n"
    "}\n";

static cl_kernel Part(const char* name, cl_mem buffer, int first, int second) {
  cl_kernel kernel = PairKernel(name);
  SetBuffer(kernel, 0, buffer);
  SetNumber(kernel, 1, first);
  SetNumber(kernel, 2, second);
  return kernel;
}

int main(void) {
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(4096);
  LaunchBoth(Part("stride", buffer, 0, 512), Part("stride", buffer, 512, 1024), 64);
  LaunchBoth(Part("stride", buffer, 0, 500), Part("stride", buffer, 500, 501), 64);
  LaunchBoth(Part("stride", buffer, 0, 1024), Part("stride", buffer, 1024, 1024), 64);
  LaunchBoth(Part("rows", buffer, 0, 16), Part("rows", buffer, 32, 16), 32);
  LaunchBoth(Part("down", buffer, 0, 16), Part("down", buffer, 32, 16), 32);
  LaunchBoth(Part("rows", buffer, 0, 32), Part("down", buffer, 16, 32), 16);
  LaunchBoth(Part("alternate", buffer, 0, 1024), Part("alternate", buffer, 1, 1024), 64);
  OK(clReleaseMemObject(buffer));
  ClosePairs();
}
