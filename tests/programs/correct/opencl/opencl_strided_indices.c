// Kernels access elements with gaps between them, up to the last element of their buffers, under
// conditions that keep all work items inside.
#include "common/opencl_reads.h"

// Each index is that of a buffer with 64 elements. There are 8 x 8 work items in groups of 4 x 4.
static const char* const kIndices[] = {
    "x * 8 + y",
    "x < 7 && y < 6 ? x * 9 + y : 0",
    "x * 9",
    "x < 4 ? x * 16 + y : 63",
    "(7 - x) * 9",
    "63 - x * 9",
    "x * n + y",
    "x < n / 2 ? x * 2 * n + y : 0",
    "get_group_id(0) * 56 + get_local_id(1) * 2",
    "get_local_id(0) * 20 + get_group_id(1) * 3",
    "x != 7 ? x * 10 : 3",
    "(uint)x * 9u",
    "x * 9 < 64 ? x * 9 : 0",
    "(x & 3) * 21",
    "min(x * 11, 63)",
    "x % 5 * 15",
    "x > y ? 60 : x * 9",
};

int main(void) {
  Open(0);
  enum { kKernels = sizeof(kIndices) / sizeof(kIndices[0]) };
  BuildReads(kIndices, kKernels, "int n", "int x = get_global_id(0), y = get_global_id(1);",
             "y * 8 + x");
  for (int k = 0; k < kKernels; ++k) {
    cl_kernel kernel = ReadsKernel(k);
    const cl_int n = 8;
    OK(clSetKernelArg(kernel, 2, sizeof(n), &n));
    const size_t items[2] = {8, 8}, group[2] = {4, 4};
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  ReleaseReads();
  Close();
}
