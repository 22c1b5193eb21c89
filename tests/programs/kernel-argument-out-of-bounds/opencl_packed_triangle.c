// Defect: Kernels write the rows of a triangle one behind the other. The buffer has the elements of
// half a square, and lacks half of the diagonal.
// Fix: The buffer has n * (n + 1) / 2 elements.
#include "common/opencl.h"

enum { kRows = 32, kElements = kRows * (kRows + 1) / 2 };

#ifdef DEFECT
enum { kBytes = kRows * kRows / 2 * 4 };
#else
enum { kBytes = kElements * 4 };
#endif

static void Run(const char* source, const char* name, cl_kernel* kernel, cl_mem* out) {
  // Behind the buffer there is room for the elements that are outside.
  static cl_float host[kElements];
  const cl_int rows = kRows;
  *kernel = NewKernel(source, name);
  *out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, host, &error));
  OK(clSetKernelArg(*kernel, 0, sizeof(*out), out));
  OK(clSetKernelArg(*kernel, 1, sizeof(rows), &rows));
}

// Defect: Each work item writes one element, if it is in the triangle.
// Fix: As above.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT last_byte=2111
// EXPECT-FACT outside_bytes=64
// EXPECT-TEXT writes bytes up to 2111 of the buffer
static void Elements(void) {
  cl_kernel kernel;
  cl_mem out;
  Run("kernel void pack(global float* out, int n) {\n"
      "  int row = get_global_id(1), column = get_global_id(0);\n"
      "  if (row < n && column <= row) out[row * (row + 1) / 2 + column] = 1;\n"
      "}\n",
      "pack", &kernel, &out);
  const size_t items[2] = {kRows, kRows};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Defect: Each work item writes a row.
// Fix: As above.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT last_byte=2111
// EXPECT-FACT outside_bytes=64
static void Rows(void) {
  cl_kernel kernel;
  cl_mem out;
  Run("kernel void rows(global float* out, int n) {\n"
      "  int row = get_global_id(0);\n"
      "  if (row >= n) return;\n"
      "  for (int i = 0; i <= row; ++i) out[row * (row + 1) / 2 + i] = i;\n"
      "}\n",
      "rows", &kernel, &out);
  const size_t items = 2 * kRows;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Defect: Each work item writes the element on the diagonal.
// Fix: As above.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT last_byte=2111
// EXPECT-FACT outside_bytes=64
static void Diagonal(void) {
  cl_kernel kernel;
  cl_mem out;
  Run("kernel void diagonal(global float* out, int n) {\n"
      "  int row = get_global_id(0);\n"
      "  if (row < n) out[row * (row + 1) / 2 + row] = 1;\n"
      "}\n",
      "diagonal", &kernel, &out);
  const size_t items = 2 * kRows;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

int main(void) {
  Open(0);
  Elements();
  Rows();
  Diagonal();
  Close();
}
