// Defect: A kernel chooses the pitch of a matrix by the order of its elements. The host says that
// the elements of a column are neighbours, but those of a row are.
// Fix: The host says that the elements of a row are neighbours.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=scale
// EXPECT-FACT last_byte=14223
#include "common/opencl.h"

static const char kSource[] =
    "kernel void scale(global float* matrix, int by_columns, int columns, int rows) {\n"
    "  int pitch = by_columns != 0 ? rows : columns;\n"
    "  matrix[mad24((int)get_global_id(1), pitch, (int)get_global_id(0))] *= 2;\n"
    "}\n";

int main(void) {
  Open(0);
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
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, matrix);
}
