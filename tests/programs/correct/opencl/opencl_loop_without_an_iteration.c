// A loop whose count is 0 or negative for this launch writes nothing; the host reads the buffer
// meanwhile, and its memory is smaller than the counts of other launches.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void rows(global int* a, global int* ran, int count) {\n"
    "  for (int k = 0; k < count; ++k) a[get_global_id(0) * count + k] = k;\n"
    "  ran[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void tail(global int* a, global int* ran, int count) {\n"
    "  for (int i = 64 + get_global_id(0); i < count; i += get_global_size(0)) a[i] = i;\n"
    "  ran[get_global_id(0)] = 1;\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(256), ran = NewFilled(256);
  static cl_int values[64];
  const char* const names[] = {"rows", "rows", "tail"};
  const cl_int counts[] = {0, -7, 64};
  for (int i = 0; i < 3; ++i) {
    cl_kernel kernel = PairKernel(names[i]);
    SetBuffer(kernel, 0, buffer);
    SetBuffer(kernel, 1, ran);
    SetNumber(kernel, 2, counts[i]);
    LaunchOn(queue, kernel, 64);
    OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(ran));
  ClosePairs();
}
