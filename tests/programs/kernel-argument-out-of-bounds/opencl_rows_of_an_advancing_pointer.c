// Defect: Each work item sums a column by a pointer that advances by a row. The host counts a row
// that the matrix does not have.
// Fix: The host passes the number of rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sums
// EXPECT-FACT last_byte=2815
// EXPECT-FACT outside_bytes=256
#include "common/opencl.h"

static const char kSource[] =
    "kernel void sums(global const float* matrix, global float* out, int columns, int rows) {\n"
    "  global const float* value = matrix + get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int row = 0; row < rows; ++row) {\n"
    "    sum += *value;\n"
    "    value += columns;\n"
    "  }\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kColumns = 64, kRows = 10 };
  cl_kernel kernel = NewKernel(kSource, "sums");
  // Behind the matrix there is room for the row that is outside.
  static cl_float host[kColumns * (kRows + 1)];
  const size_t bytes = kColumns * kRows * sizeof(cl_float);
  cl_mem matrix = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kColumns * sizeof(cl_float), NULL, &error));
#ifdef DEFECT
  const cl_int rows = kRows + 1;
#else
  const cl_int rows = kRows;
#endif
  const cl_int columns = kColumns;
  OK(clSetKernelArg(kernel, 0, sizeof(matrix), &matrix));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(columns), &columns));
  OK(clSetKernelArg(kernel, 3, sizeof(rows), &rows));
  const size_t items = kColumns;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, matrix, out);
}
