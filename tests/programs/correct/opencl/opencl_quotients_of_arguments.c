// Kernels divide, shift and mask their arguments, and access their buffer up to its first and last
// element by the results.
#include "common/opencl_reads.h"

// Each index is that of a buffer with 64 elements. There are 64 work items. `n` is 64, `odd` is 21,
// `minus` is -21, `zero` is 0, and `high` is 0x80000000.
static const char* const kIndices[] = {
    "i < n / 2 ? i + n / 2 : i - n / 2",
    "i < (odd + 1) / 2 ? i + 53 : 0",
    "i < odd / 2 ? i + 54 : 0",
    "i < (odd & ~3) ? i + 44 : 0",
    "i < odd % 4 ? i + 63 : 63",
    "i + minus / 2 < 0 ? 0 : i + minus / 2",
    "i + (minus >> 1) < 0 ? i + 53 : 0",
    "i < 10 ? i - minus / 2 + 44 : 0",
    "i < 11 ? i - (minus >> 1) + 42 : 0",
    "i < -(minus % 4) ? i + 63 : 0",
    "zero != 0 ? i + n / zero : i",
    "i < (int)(high >> 26) ? i + 32 : i - 32",
    "i < (int)(high / 0x4000000) ? i + 32 : i - 32",
    "i < (int)(high & 255) ? i + 64 : i",
    "i + (n + 15) / 16 * 16 - 64",
    "i + ((n + 15) & ~15) - 64",
    "i < (int)get_global_size(0) / 3 ? i * 3 + n / 64 : 0",
    "i < n / 3 * 3 ? i + 1 : 0",
    "i / (n / 8) * 9",
    "i % (n / 8) * 9",
};

int main(void) {
  Open(0);
  enum { kKernels = sizeof(kIndices) / sizeof(kIndices[0]) };
  BuildReads(kIndices, kKernels, "int n, int odd, int minus, int zero, uint high",
             "int i = get_global_id(0);", "i");
  for (int k = 0; k < kKernels; ++k) {
    cl_kernel kernel = ReadsKernel(k);
    const cl_int numbers[] = {64, 21, -21, 0, (cl_int)0x80000000u};
    for (cl_uint i = 0; i < 5; ++i) OK(clSetKernelArg(kernel, 2 + i, sizeof(cl_int), &numbers[i]));
    const size_t items = 64;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  ReleaseReads();
  Close();
}
