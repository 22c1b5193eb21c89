// Two kernels pass data to and fro between the halves of one buffer, in order; the host writes the
// half that no kernel uses, and a kernel updates its half in place.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void pass(global int* a, int from, int to) {\n"
    "  a[to + get_global_id(0)] = a[from + get_global_id(0)] + 1;\n"
    "}\n"
    "kernel void twice(global int* a, int at) { a[at + get_global_id(0)] *= 2; }\n";

int main(void) {
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(1024);
  cl_kernel pass = PairKernel("pass"), twice = PairKernel("twice");
  SetBuffer(pass, 0, buffer);
  SetBuffer(twice, 0, buffer);
  static cl_int values[64];
  for (int round = 0; round < 4; ++round) {
    SetNumber(pass, 1, round % 2 == 0 ? 0 : 64);
    SetNumber(pass, 2, round % 2 == 0 ? 64 : 0);
    LaunchOn(queue, pass, 64);
    // The rest of the buffer.
    OK(clEnqueueWriteBuffer(other, buffer, CL_TRUE, 512, 256, values, 0, NULL, NULL));
    SetNumber(twice, 1, 192);
    LaunchOn(other, twice, 64);
    OK(clFinish(other));
  }
  OK(clFinish(queue));
  OK(clReleaseKernel(pass));
  OK(clReleaseKernel(twice));
  OK(clReleaseMemObject(buffer));
  ClosePairs();
}
