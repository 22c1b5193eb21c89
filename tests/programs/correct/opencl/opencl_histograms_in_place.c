// Histograms by atomic additions in loops, of which two launches share the counts; and loops that
// update their own elements in place, in halves.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void count(global const uchar* in, global int* counts, int begin, int end) {\n"
    "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0))\n"
    "    atomic_inc(&counts[in[i] & 15]);\n"
    "}\n"
    "kernel void scale(global int* a, global int* unused, int begin, int end) {\n"
    "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) a[i] = 2 * a[i];\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  cl_mem in = NewFilled(1024), counts = NewFilled(64);
  const char* const names[] = {"count", "scale"};
  for (int round = 0; round < 2; ++round) {
    cl_kernel kernels[2];
    const cl_int elements = round == 0 ? 1024 : 256;
    for (int i = 0; i < 2; ++i) {
      kernels[i] = PairKernel(names[round]);
      SetBuffer(kernels[i], 0, in);
      SetBuffer(kernels[i], 1, counts);
      SetNumber(kernels[i], 2, i * elements / 2);
      SetNumber(kernels[i], 3, (i + 1) * elements / 2);
    }
    LaunchBoth(kernels[0], kernels[1], 64);
  }
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(counts));
  ClosePairs();
}
