// A stencil reads some elements in front of and behind each element: the buffer has a margin, the
// launch has an offset, and neighbours of the output are written by another queue.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void blur(global const int* in, global int* out, int radius) {\n"
    "  int i = get_global_id(0), sum = 0;\n"
    "  for (int k = -radius; k <= radius; ++k) sum += in[i + k];\n"
    "  out[i] = sum;\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  const cl_int radius = 3;
  // 3 + 64 + 3 elements, all of which are read.
  cl_mem in = NewFilled(70 * sizeof(cl_int)), out = NewFilled(70 * sizeof(cl_int));
  cl_kernel kernels[2];
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("blur");
    SetBuffer(kernels[i], 0, in);
    SetBuffer(kernels[i], 1, out);
    SetNumber(kernels[i], 2, radius);
    const size_t offset = i == 0 ? 3 : 35, items = 32;
    OK(clEnqueueNDRangeKernel(i == 0 ? queue : other, kernels[i], 1, &offset, &items, NULL, 0, NULL,
                              NULL));
  }
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  ClosePairs();
}
