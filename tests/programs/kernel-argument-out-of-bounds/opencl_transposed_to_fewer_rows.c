// Defect: Tiles of a matrix are transposed into a matrix that has two rows less than the first one has
// columns.
// Fix: It has as many rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=transpose
// EXPECT-FACT last_byte=2399
// EXPECT-FACT outside_bytes=160
#include "common/opencl.h"

static const char kSource[] =
    "kernel void transpose(global const float* in, global float* out, int columns, int rows) {\n"
    "  local float tile[8][9];\n"
    "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);\n"
    "  if (x < columns && y < rows) tile[ly][lx] = in[y * columns + x];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int to_x = get_group_id(1) * 8 + lx, to_y = get_group_id(0) * 8 + ly;\n"
    "  if (to_x < rows && to_y < columns) out[to_y * rows + to_x] = tile[lx][ly];\n"
    "}\n";

int main(void) {
  Open(0);
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
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, in, out);
}
