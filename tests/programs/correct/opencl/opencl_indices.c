// Kernels compute indices in several ways, and stay inside of their buffers.
#include "common/opencl.h"

static cl_program reads;
static cl_mem reads_in, reads_out;

// Builds kernel number k as reads<k>(in, out, PARAMETERS) { BODY out[TO] = in[indices[k]]; }
static void BuildReads(const char* const* indices, int count, const char* parameters,
                       const char* body, const char* to) {
  static char source[16384];
  source[0] = '\0';
  for (int k = 0; k < count; ++k) {
    sprintf(source + strlen(source),
            "kernel void reads%d(global const int* in, global int* out, %s) {\n"
            "  %s\n"
            "  out[%s] = in[%s];\n"
            "}\n",
            k, parameters, body, to, indices[k]);
  }
  const char* text = source;
  reads = MADE(clCreateProgramWithSource(context, 1, &text, NULL, &error));
  OK(clBuildProgram(reads, 1, &device, NULL, NULL, NULL));
  static cl_int values[64];
  reads_in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  reads_out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error));
}

// Returns kernel number k with its two buffers. The caller releases it.
static cl_kernel ReadsKernel(int k) {
  char name[32];
  sprintf(name, "reads%d", k);
  cl_kernel kernel = MADE(clCreateKernel(reads, name, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(reads_in), &reads_in));
  OK(clSetKernelArg(kernel, 1, sizeof(reads_out), &reads_out));
  return kernel;
}

static void ReleaseReads(void) {
  OK(clReleaseMemObject(reads_in));
  OK(clReleaseMemObject(reads_out));
  OK(clReleaseProgram(reads));
}

// Kernels access their buffer by quotients, remainders, masks and exclusive ors of their
// identifiers, and reach its first and last element. The greatest values of two parts do not occur
// together in some of them.
static void PartsOfIdentifiers(void) {
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
}

// Kernels divide, shift and mask their arguments, and access their buffer up to its first and last
// element by the results.
static void QuotientsOfArguments(void) {
  // Each index is that of a buffer with 64 elements. There are 64 work items. `n` is 64, `odd` is
  // 21, `minus` is -21, `zero` is 0, and `high` is 0x80000000.
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
}

// Kernels access elements with gaps between them, up to the last element of their buffers, under
// conditions that keep all work items inside.
static void StridedIndices(void) {
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
}

int main(void) {
  Open(0);
  PartsOfIdentifiers();
  QuotientsOfArguments();
  StridedIndices();
  Close();
}
