// Defect: Kernels access rows by a pitch or a number of rows that the buffer does not have.
// Fix: The buffer has the rows and the pitch that the kernel uses.
#include "common/opencl.h"

// Defect: A kernel clears rows of a matrix by the padded width. The buffer has the rows without
// their padding. Clang makes one memset of the loop.
// Fix: The kernel gets the width of the buffer's rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=clear
// EXPECT-FACT last_byte=2047
static void ClearsRowsOfThePaddedWidth(void) {
  static const char kSource[] =
      "kernel void clear(global float* rows, int width) {\n"
      "  int y = get_global_id(0);\n"
      "  for (int x = 0; x < width; ++x) rows[y * width + x] = 0;\n"
      "}\n";
  enum { kWidth = 60, kPadded = 64, kRows = 8 };
  cl_kernel kernel = NewKernel(kSource, "clear");
  static cl_float host[2 * kRows * kPadded];
  const size_t bytes = kRows * kWidth * sizeof(cl_float);
  cl_mem rows = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
#ifdef DEFECT
  const cl_int width = kPadded;
#else
  const cl_int width = kWidth;
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(rows), &rows));
  OK(clSetKernelArg(kernel, 1, sizeof(width), &width));
  const size_t items = kRows;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(rows));
  OK(clReleaseKernel(kernel));
}

// Defect: A kernel chooses the pitch of a matrix by the order of its elements. The host says that
// the elements of a column are neighbours, but those of a row are.
// Fix: The host says that the elements of a row are neighbours.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=scale
// EXPECT-FACT last_byte=14223
static void PitchOfTheOtherOrder(void) {
  static const char kSource[] =
      "kernel void scale(global float* matrix, int by_columns, int columns, int rows) {\n"
      "  int pitch = by_columns != 0 ? rows : columns;\n"
      "  matrix[mad24((int)get_global_id(1), pitch, (int)get_global_id(0))] *= 2;\n"
      "}\n";
  enum { kColumns = 16, kRows = 60 };
  cl_kernel kernel = NewKernel(kSource, "scale");
  // Behind the matrix there is room for the elements that are outside.
  static cl_float host[kRows * kRows];
  const size_t bytes = kColumns * kRows * sizeof(cl_float);
  cl_mem matrix = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
#ifdef DEFECT
  const cl_int by_columns = 1;
#else
  const cl_int by_columns = 0;
#endif
  const cl_int columns = kColumns, rows = kRows;
  OK(clSetKernelArg(kernel, 0, sizeof(matrix), &matrix));
  OK(clSetKernelArg(kernel, 1, sizeof(by_columns), &by_columns));
  OK(clSetKernelArg(kernel, 2, sizeof(columns), &columns));
  OK(clSetKernelArg(kernel, 3, sizeof(rows), &rows));
  const size_t items[2] = {kColumns, kRows};
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, matrix);
}

// Defect: A kernel adds one bias for each column of a matrix. It takes the remainder by the pitch
// of the rows, not by the number of columns, so that the padding of the rows reads past the bias.
// Fix: The bias has one element for each column with the padding.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=add_bias
// EXPECT-FACT last_byte=255
// EXPECT-FACT outside_bytes=56
static void RemainderByTheRowPitch(void) {
  static const char kSource[] =
      "kernel void add_bias(global float* rows, global const float* bias, uint pitch, uint count) {\n"
      "  uint i = get_global_id(0);\n"
      "  if (i >= count) return;\n"
      "  rows[i] += bias[i % pitch];\n"
      "}\n";
  enum { kColumns = 50, kPitch = 64, kRows = 10 };
  cl_kernel kernel = NewKernel(kSource, "add_bias");
  static cl_float matrix[kRows * kPitch];
  // Behind the bias there is room for the elements that are outside.
  static cl_float host[2 * kPitch];
#ifdef DEFECT
  const size_t biases = kColumns;
#else
  const size_t biases = kPitch;
#endif
  cl_mem rows = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(matrix), matrix, &error));
  cl_mem bias =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, biases * sizeof(cl_float), host, &error));
  const cl_uint pitch = kPitch, count = kRows * kPitch;
  OK(clSetKernelArg(kernel, 0, sizeof(rows), &rows));
  OK(clSetKernelArg(kernel, 1, sizeof(bias), &bias));
  OK(clSetKernelArg(kernel, 2, sizeof(pitch), &pitch));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = 768;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(rows));
  OK(clReleaseMemObject(bias));
  OK(clReleaseKernel(kernel));
}

// Defect: Each work item sums a column by a pointer that advances by a row. The host counts a row
// that the matrix does not have.
// Fix: The host passes the number of rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_4
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sums
// EXPECT-FACT last_byte=2815
// EXPECT-FACT outside_bytes=256
static void RowsOfAnAdvancingPointer(void) {
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
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, matrix, out);
}

// Defect: Tiles of a matrix are transposed into a matrix that has two rows less than the first one has
// columns.
// Fix: It has as many rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_5
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=transpose
// EXPECT-FACT last_byte=2399
// EXPECT-FACT outside_bytes=160
static void TransposedToFewerRows(void) {
  static const char kSource[] =
      "kernel void transpose(global const float* in, global float* out, int columns, int rows) {\n"
      "  local float tile[8][9];\n"
      "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);\n"
      "  if (x < columns && y < rows) tile[ly][lx] = in[y * columns + x];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  int to_x = get_group_id(1) * 8 + lx, to_y = get_group_id(0) * 8 + ly;\n"
      "  if (to_x < rows && to_y < columns) out[to_y * rows + to_x] = tile[lx][ly];\n"
      "}\n";
  enum { kColumns = 30, kRows = 20 };
  cl_kernel kernel = NewKernel(kSource, "transpose");
  // Behind the second matrix there is room for the rows that are outside.
  static cl_float host[kColumns * kRows];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, &error));
#ifdef DEFECT
  const size_t out_rows = kColumns - 2;
#else
  const size_t out_rows = kColumns;
#endif
  const size_t bytes = out_rows * kRows * sizeof(cl_float);
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  const cl_int columns = kColumns, rows = kRows;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(columns), &columns));
  OK(clSetKernelArg(kernel, 3, sizeof(rows), &rows));
  const size_t items[2] = {32, 24}, group[2] = {8, 8};
  // @HERE_5
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, in, out);
}

int main(void) {
  Open(0);
  ClearsRowsOfThePaddedWidth();
  PitchOfTheOtherOrder();
  RemainderByTheRowPitch();
  RowsOfAnAdvancingPointer();
  TransposedToFewerRows();
  Close();
}
