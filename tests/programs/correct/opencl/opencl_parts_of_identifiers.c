// Kernels access their buffer by quotients, remainders, masks and exclusive ors of their
// identifiers, and reach its first and last element. The greatest values of two parts do not occur
// together in some of them.
#include "common/opencl_reads.h"

// Each index is that of a buffer with 64 elements. There are 64 work items in groups of 8. `w` is
// 10, `n` is 64, `one` is 1, and `minus` is -1.
static const char* const kIndices[] = {
    "i % w + 54",
    "i / w + 57",
    "i / w * w + i % w",
    "i % w * 6 + i / w",
    "i / w * 9 + i % w",
    "(i ^ one) < n ? i ^ one : 0",
    "i ^ 63",
    "i ^ (n / 2)",
    "(i ^ w) & 63",
    "(i + 1) % n",
    "(i + n - 1) % n",
    "i & (n - 1)",
    "i & ~7",
    "(i >> 1) + 32",
    "((i >> one) << one) + 1",
    "((i & 31) << 1) + (i >> 5)",
    "i < 32 ? ((i - (i & 3)) << 1) + (i & 3) + 4 : i",
    "i % 8 * 8 + i / 8",
    "(i / 16 * 4 + i / 4 % 4) * 4 + i % 4",
    "i % 16 / 4 * 16 + i / 16 * 4 + i % 4",
    "i / w < 6 ? (i / w) * w + 4 : 63",
    "i % w < 4 ? i / w * 10 + i % w : 0",
    "l % 4 + i / 8 * 8 + 4",
    "(i + minus) < 0 ? 63 : (i + minus) / 1",
    "i > 0 ? (i * minus) / minus : 0",
    "max(i - w, 0) / 2 * 2",
    "min(i + w, n - 1)",
    "clamp(i * 2 - 30, 0, n - 1)",
    "i / (w * 2) * 20 + i % (w * 2)",
    "i * (n / 64) % 64",
    "(i * 3) % n",
    "(i * w) % 61 + 3",
};

int main(void) {
  Open(0);
  enum { kKernels = sizeof(kIndices) / sizeof(kIndices[0]) };
  BuildReads(kIndices, kKernels, "int w, int n, int one, int minus",
             "int i = get_global_id(0), l = get_local_id(0);", "i");
  for (int k = 0; k < kKernels; ++k) {
    cl_kernel kernel = ReadsKernel(k);
    const cl_int numbers[] = {10, 64, 1, -1};
    for (cl_uint i = 0; i < 4; ++i) OK(clSetKernelArg(kernel, 2 + i, sizeof(cl_int), &numbers[i]));
    const size_t items = 64, group = 8;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  ReleaseReads();
  Close();
}
